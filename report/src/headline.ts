// What was found, in one sentence and a few facts.
import { h } from "./dom";
import { strongest as strongestOf, type Edge, type Model, type Regime } from "./model";
import { count, show } from "./numbers";
import type { Store } from "./state";

/** How many changes of regime are told at the top; the slider marks all. */
const REGIMES = 3;

export function headline(model: Model, store: Store): HTMLElement {
  let header = written(model, store);
  store.subscribe((_, changed) => {
    if (!changed.has("units")) return;
    const next = written(model, store);
    header.replaceWith(next);
    header = next;
  });
  return header;
}

function written(model: Model, store: Store): HTMLElement {
  const { run } = model.text;
  const { edges } = model;
  const changing = edges.filter((edge) => edge.changing).length;
  const same = edges.filter((edge) => edge.lag === 0).length;
  const open = edges.filter((edge) => edge.mark !== "directed").length;
  const all = run.edges;
  const sentence = all === 0
    ? `${count(model.names.length, "variable")}, and no edge between them`
    : `${count(model.names.length, "variable")}, ${count(all, "edge")}, ${part(changing, edges.length)} over time`;
  const by = (value: (edge: Edge) => number) => edges.reduce<Edge | null>((best, edge) => (best === null || value(edge) > value(best) ? edge : best), null);
  const strongest = by((edge) => edge.strength);
  const restless = by((edge) => edge.range);
  const required = edges.filter((edge) => edge.given === "edge").length;
  const directed = edges.filter((edge) => edge.given === "direction").length;
  const pick = (name: string, edge: Edge, value: string) => h("button", { type: "button", class: "fact link", click: () => store.set({ edge: edge.index, variable: null }) },
    h("span", { class: "name" }, name), h("bdi", { class: "what" }, model.title(edge)), h("span", { class: "number" }, value));
  const fact = (name: string, what: string, tone = "") => h("div", { class: `fact ${tone}` }, h("span", { class: "name" }, name), h("span", { class: "what" }, what));
  const sd = model.units === "sd" ? " sd" : "";
  const acyclic = "acyclic" in run.certificate;
  const issues = run.warnings.length + model.text.notes.length;
  return h("header", { class: "headline" },
    h("h1", { title: model.text.changing_means }, sentence),
    h("p", { class: "sub" }, h("bdi", {}, run.source), ` · ${count(run.series, "series", "series")} of ${count(run.steps, "step")} · method ${run.method}, lag ${run.lag}`),
    h("div", { class: "facts-row" },
      strongest && pick("strongest", strongest, show(strongestOf(strongest.weight)) + sd),
      restless && restless.range > 0 && pick("changes most", restless, `by ${show(restless.range)}${sd}`),
      ...model.regimes.slice(0, REGIMES).map((regime) => h("button", { type: "button", class: "fact link regime", title: `Regime changes at ${regime.words}`, click: () => store.set({ frame: regime.frame, playing: false }) },
        h("span", { class: "name" }, "regime changes"), h("span", { class: "what" }, `${model.label(regime.frame)}${span(model, regime)}`), h("span", { class: "number" }, count(regime.edges.length, "edge")))),
      model.regimes.length > REGIMES && fact("and", `${model.regimes.length - REGIMES} more changes of regime`),
      fact("when", `${same} within the step, ${edges.length - same} later${open > 0 ? `; direction of ${open} open` : ""}`),
      run.facts?.knowledge && fact("known before", `${count(required, "edge")}${directed > 0 ? `, the direction of ${directed}` : ""}`),
      fact("cycles", acyclic ? `none at any of ${count(run.steps, "step")}` : model.text.certificate, acyclic ? "good" : "bad"),
      issues > 0 && h("a", { class: "fact warn", href: "#diagnostics", click: (event) => { event.preventDefault(); document.getElementById("diagnostics")?.scrollIntoView({ behavior: "smooth" }); } }, h("span", { class: "name" }, "to know"), h("span", { class: "what" }, count(issues, "warning")))));
}

/** The times that a change lies between, where they are more than one. */
function span(model: Model, { within: [low, high] }: Regime): string {
  return low < high ? ` (${model.label(low)} to ${model.label(high)})` : "";
}

function part(changing: number, all: number): string {
  if (changing === 0) return all === 1 ? "which does not change" : "none of which changes";
  if (changing === all) return all === 1 ? "which changes" : "all of which change";
  return `${changing} of which ${changing === 1 ? "changes" : "change"}`;
}
