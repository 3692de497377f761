// Puts the page together.
import "./style.css";
import { alarms, residualChecks, provenance, warnings } from "./diagnostics";
import { h, set } from "./dom";
import { EffectsView } from "./effects";
import { savePng, saveSvg, saveTable } from "./exports";
import { choice, filters } from "./filters";
import { GraphView } from "./graph";
import { headline } from "./headline";
import { legend } from "./legend";
import { MatrixView } from "./matrix";
import { Model } from "./model";
import { count } from "./numbers";
import { unpack } from "./payload";
import { preparations } from "./prepared";
import { SeriesView } from "./series";
import { Store, type Sort } from "./state";
import { edgeList } from "./table";
import { TimeBar } from "./timebar";
import { mountTooltip } from "./tooltip";
import { TrajectoriesView } from "./trajectories";

const page = document.getElementById("page")!;

/** A part of the page, with the buttons that save its drawing. */
function card(id: string, title: string, about: string, extras: (HTMLElement | false | null)[], svg: SVGSVGElement | null, ...content: (Element | false | null)[]): HTMLElement {
  const name = `dycausal-${id}`;
  const says = () => `${title} at ${document.querySelector(".now")?.textContent ?? ""}`;
  const saves = svg && h("span", { class: "saves" },
    h("button", { type: "button", "data-save": "svg", title: "Save this view as SVG", click: () => saveSvg(svg, name, says()) }, "SVG"),
    h("button", { type: "button", "data-save": "png", title: "Save this view as PNG", click: () => void savePng(svg, name, says()) }, "PNG"));
  return h("section", { class: "card", id, "aria-labelledby": `${id}-title` },
    h("div", { class: "card-head" }, h("h2", { id: `${id}-title`, title: about }, title), ...extras, h("span", { class: "space" }), saves), ...content);
}

function build(model: Model): void {
  const store = new Store(model);
  const graph = new GraphView(model, store);
  const more = h("button", { type: "button", class: "more", click: () => trajectories.more() });
  const trajectories = new TrajectoriesView(model, store, (shown, all) => {
    more.hidden = shown >= all;
    more.textContent = `Show more (${all - shown} left)`;
  });
  const compared = h("p", { class: "compared" });
  const matrix = new MatrixView(model, store, (text) => { compared.textContent = text; compared.hidden = text === ""; });
  const moreSeries = h("button", { type: "button", class: "more", click: () => series?.more() });
  const series = model.text.series && new SeriesView(model, store, (shown, all) => {
    moreSeries.hidden = shown >= all;
    moreSeries.textContent = `Show more (${all - shown} left)`;
  });
  const moreEffects = h("button", { type: "button", class: "more", click: () => effects?.more() });
  const effects = model.edges.some((edge) => edge.effect !== null) ? new EffectsView(model, store, (shown, all) => {
    moreEffects.hidden = shown >= all;
    moreEffects.textContent = `Show more (${all - shown} left)`;
  }) : null;
  const bar = new TimeBar(model, store);
  const told = warnings(model);
  const order = matrix.order && h("label", { class: "check" }, h("input", { type: "checkbox", id: "causal", change: (event) => matrix.sortCausally((event.target as HTMLInputElement).checked) }), "causes first");
  document.title = `${model.text.run.source} – dycausal report`;
  page.replaceChildren(
    h("div", { class: "top" }, headline(model, store), themeButton(store)),
    ...[alarms(model)].filter((alarm) => alarm !== null),
    filters(model, store),
    h("div", { class: "stage" },
      card("graph", "Graph", "Variables stay where they are; edges come and go with time", [choice(model, store)], graph.svg, graph.svg, graph.controls(), legend(model)),
      card("trajectories", "Weights over time", "Each edge over all times; the darker band holds the weight at each time, the lighter the whole path", [sorting(store)], trajectories.svg, h("div", { class: "roll" }, trajectories.svg, more))),
    bar.element,
    ...(effects ? [card("effects", "Effects", "What values of the cause add to the effect, compared with what they usually add", [], effects.svg, effects.svg, moreEffects)] : []),
    card("matrix", model.truth ? "Matrices, learned and true" : "Matrices", "Causes in rows, effects in columns", [order], matrix.svg, compared, h("div", { class: "hold" }, matrix.svg)),
    card("edges", "Edges", "All edges that pass the filters", [h("button", { type: "button", id: "csv", click: () => saveTable(model, store) }, "CSV")], null, edgeList(model, store)),
    ...(series ? [card("series", "Data", "The series of each variable", [h("span", { class: "muted" }, seriesCaption(model))], series.svg, series.svg, moreSeries)] : []),
    card("diagnostics", "Diagnostics", "Whether to believe it", [], null, told, preparations(model), h("h3", {}, "What is left unexplained"), residualChecks(model), provenance(model)),
    h("footer", {}, "Written by dycausal ", model.text.run.version, ". One file, nothing is loaded from the network. Keys: space plays, ← → one step, / finds a variable, Esc lets go."),
  );
  mountTooltip();
  applyTheme(store);
  keys(store, bar);
  graph.start();
  trajectories.start();
  // What is below the fold may wait for the first picture.
  const later = () => {
    effects?.start();
    matrix.start();
    series?.start();
    performance.mark("all");
    set(document.documentElement, "data-ready", "all");
  };
  performance.mark("first");
  set(document.documentElement, "data-ready", "first");
  requestAnimationFrame(() => setTimeout(later));
}

function seriesCaption(model: Model): string {
  const { series, missing, filled } = model.text.series!;
  const what = series > 1 ? `mean and range of ${series} series, the first series thin` : "range and mean in each stretch of time";
  if (missing === 0) return what;
  const grey = filled > 0 ? `, of which ${filled} were filled (grey)` : "";
  return `${what}; ${count(missing, "missing cell")} marked below${grey}`;
}

function sorting(store: Store): HTMLElement {
  const names: [Sort, string][] = [["change", "most changing"], ["q", "surest (q)"], ["strength", "strongest"], ["now", "strongest now"], ["cause", "by cause"], ["effect", "by effect"]];
  const select = h("select", { "aria-label": "Order of edges", id: "sort", change: () => store.set({ sort: select.value as Sort }) }, ...names.map(([value, text]) => h("option", { value }, text)));
  select.value = store.state.sort;
  store.subscribe((state, changed) => {
    if (changed.has("sort")) select.value = state.sort;
  });
  return select;
}

function dark(store: Store): boolean {
  const { theme } = store.state;
  return theme === "dark" || (theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
}

function applyTheme(store: Store): void {
  const apply = () => set(document.documentElement, "data-theme", dark(store) ? "dark" : "light");
  store.subscribe((_, changed) => {
    if (changed.has("theme")) apply();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", apply);
  // Paper is white.
  addEventListener("beforeprint", () => set(document.documentElement, "data-theme", "light"));
  addEventListener("afterprint", apply);
  apply();
}

function themeButton(store: Store): HTMLElement {
  return h("button", { type: "button", class: "theme", "aria-label": "Light or dark", title: "Light or dark", click: () => store.set({ theme: dark(store) ? "light" : "dark" }) }, "◐");
}

function keys(store: Store, bar: TimeBar): void {
  const last = store.model.frames - 1;
  addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    const typing = target.matches("input, select, textarea") && (target as HTMLInputElement).type !== "checkbox";
    if (event.key === "Escape") return store.set({ edge: null, variable: null, focus: false });
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = Math.round(store.state.frame);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: last }[event.key];
    if (to !== undefined) store.set({ frame: Math.min(last, Math.max(0, to)), playing: false });
    else if (event.key === " " && !target.matches("button, a, summary")) bar.toggle();
    else if (event.key === "/") document.getElementById("search")?.focus();
    else return;
    event.preventDefault();
  });
}

try {
  performance.mark("begin");
  const payload = await unpack(document.getElementById("data")!.textContent ?? "");
  performance.mark("unpacked");
  build(new Model(payload));
} catch (error) {
  page.replaceChildren(h("p", { class: "bad" }, `This report cannot be opened: ${error instanceof Error ? error.message : String(error)}. A browser of 2023 or later is needed.`));
  set(document.documentElement, "data-ready", "failed");
}
