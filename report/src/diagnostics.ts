// Whether to believe it, and how to do it again.
import { h, s } from "./dom";
import type { Model } from "./model";
import { count, show } from "./numbers";
import type { RawCheck } from "./payload";

/** Rows of the table of residuals before more are asked for. */
const ROWS = 20;

/** A sign that a check is not passed, with what it may mean. */
interface Doubt {
  column: "explained" | "autocorrelation" | "skewness" | "kurtosis" | "spread";
  meaning: string;
}

function doubts(check: RawCheck): Doubt[] {
  const found: Doubt[] = [];
  const clear = 3 / Math.sqrt(Math.max(1, check.count));
  if (check.explained !== null && check.explained < 0) found.push({ column: "explained", meaning: "the graph predicts worse than the mean" });
  if (check.autocorrelation !== null && Math.abs(check.autocorrelation) > Math.max(clear, 0.1)) {
    found.push({ column: "autocorrelation", meaning: "a lagged cause may be missing, or the lag too short" });
  }
  if (check.skewness !== null && Math.abs(check.skewness) > 1) found.push({ column: "skewness", meaning: "far from symmetric: p-values are less sure" });
  if (check.excess_kurtosis !== null && check.excess_kurtosis > 4) found.push({ column: "kurtosis", meaning: "outliers: weights may hang on few values" });
  // The largest and smallest of so many standard deviations differ by chance alone by about this factor.
  const spread = check.sd_over_time.filter((sd) => sd !== null);
  const chance = Math.exp(6.6 / Math.sqrt((2 * Math.max(1, check.count)) / Math.max(1, spread.length)));
  if (Math.min(...spread) * Math.max(1.8, chance) < Math.max(...spread)) found.push({ column: "spread", meaning: "noise that changes in size over time" });
  return found;
}

export function residualChecks(model: Model): HTMLElement {
  const residuals = model.text.residuals;
  if (!residuals) return h("p", { class: "muted" }, "Residual checks need the data and linear weights; see the notes above.");
  const rows = residuals.variables.map((check, variable) => ({ check, variable, doubts: doubts(check) }));
  rows.sort((a, b) => b.doubts.length - a.doubts.length || a.variable - b.variable);
  const suspicious = rows.filter((row) => row.doubts.length > 0).length;
  const body = h("tbody");
  const fill = (most: number) => body.replaceChildren(...rows.slice(0, most).map((row) => tableRow(model, row)));
  fill(ROWS);
  const more = h("button", { type: "button", class: "more", click: () => { fill(rows.length); more.remove(); } }, `Show all ${rows.length}`);
  const head = ["variable", "explained", "autocorrelation", "skewness", "excess kurtosis", "noise over time", "may mean"];
  return h("div", {},
    h("p", {}, suspicious === 0
      ? `No pattern is left in the residuals (${count(residuals.rows, "row")} each).`
      : `${count(suspicious, "variable")} of ${rows.length} leave a pattern in the residuals (${count(residuals.rows, "row")} each).`),
    h("div", { class: "scroll" }, h("table", { class: "checks" }, h("thead", {}, h("tr", {}, ...head.map((text) => h("th", { scope: "col" }, text)))), body)),
    rows.length > ROWS && more,
    pairs(model));
}

function tableRow(model: Model, { check, variable, doubts }: { check: RawCheck; variable: number; doubts: Doubt[] }): HTMLElement {
  const flag = (column: Doubt["column"]) => (doubts.some((doubt) => doubt.column === column) ? "flag" : null);
  const share = Math.max(0, Math.min(1, check.explained ?? 0));
  return h("tr", {},
    h("th", { scope: "row", dir: "auto", title: model.name(variable) }, model.name(variable)),
    h("td", { class: flag("explained") }, h("span", { class: "bar" }, bar(share)), check.explained === null ? "–" : `${Math.round(100 * check.explained)} %`),
    h("td", { class: flag("autocorrelation") }, show(check.autocorrelation)),
    h("td", { class: flag("skewness") }, show(check.skewness)),
    h("td", { class: flag("kurtosis") }, show(check.excess_kurtosis)),
    h("td", { class: flag("spread") }, spark(check.sd_over_time)),
    h("td", { class: "meaning" }, doubts.map((doubt) => doubt.meaning).join("; ") || "–"));
}

function bar(share: number): SVGSVGElement {
  return s("svg", { viewBox: "0 0 60 8", width: 60, height: 8, "aria-hidden": "true" },
    s("rect", { class: "trough", width: 60, height: 8, rx: 4 }),
    s("rect", { class: "amount", width: 60 * share, height: 8, rx: 4 }));
}

/** Standard deviation over time, from 0 to its largest. */
function spark(values: (number | null)[]): SVGSVGElement {
  const most = Math.max(1e-300, ...values.map((value) => value ?? 0));
  const at = (value: number, k: number) => `${((k + 0.5) / values.length * 90).toFixed(1)} ${(19 - (value / most) * 17).toFixed(1)}`;
  let path = "";
  values.forEach((value, k) => {
    if (value !== null) path += `${path && values[k - 1] !== null ? "L" : "M"}${at(value, k)}`;
  });
  return s("svg", { viewBox: "0 0 90 20", width: 90, height: 20, class: "spark", "aria-hidden": "true" }, s("line", { x1: 0, x2: 90, y1: 19, y2: 19 }), s("path", { d: path }));
}

function pairs(model: Model): HTMLElement {
  const found = model.text.residuals!.pairs.filter((pair) => Math.abs(pair.correlation) > Math.max(0.15, 4 / Math.sqrt(pair.count)));
  if (found.length === 0) return h("p", { class: "muted" }, "No two variables have clearly correlated residuals: nothing points to a common cause that is missing.");
  const item = ({ a, b, correlation }: { a: number; b: number; correlation: number }) =>
    h("li", {}, h("bdi", {}, model.name(a)), " and ", h("bdi", {}, model.name(b)), `: ${show(correlation)}`);
  return h("div", {},
    h("p", {}, "Correlated residuals: a common cause may not be among the variables, or an edge within the step may be missing."),
    h("ul", { class: "pairs" }, ...found.map(item)));
}

export function provenance(model: Model): HTMLElement {
  const { run, certificate } = model.text;
  const order = "acyclic" in run.certificate ? run.certificate.acyclic.order : null;
  const seconds = run.timings.reduce((sum, timing) => sum + timing.seconds, 0);
  const facts: [string, string][] = [
    ["method", run.method],
    ["data", run.source],
    ["size", `${count(run.series, "series", "series")} of ${count(run.steps, "step")}, ${count(model.names.length, "variable")}, ${count(run.missing, "missing cell")}`],
    ["lag", String(run.lag)],
    ["seed", String(run.seed)],
    ["time", `${seconds.toFixed(2)} s on ${count(run.threads, "thread")}`],
    ["version", `dycausal ${run.version}`],
  ];
  const list = (rows: [string, string][]) => {
    const dl = h("dl", { class: "facts" });
    for (const [name, value] of rows) dl.append(h("dt", {}, name), h("dd", { dir: "auto" }, value));
    return dl;
  };
  const parameters = Object.entries(run.parameters).map(([name, value]): [string, string] => [name, typeof value === "string" ? value : JSON.stringify(value)]);
  const copied = h("span", { class: "muted", role: "status" });
  const copy = async () => {
    await navigator.clipboard?.writeText(run.command ?? "").then(() => { copied.textContent = "copied"; }, () => { copied.textContent = "select and copy it"; });
  };
  return h("div", { class: "columns" },
    h("div", {}, h("h3", {}, "How it was found"), list(facts),
      run.command ? h("div", {}, h("h3", {}, "Do it again"), h("pre", { class: "command", tabindex: 0 }, run.command), h("button", { type: "button", click: () => void copy() }, "Copy"), " ", copied) : h("p", { class: "muted" }, "No command was recorded: the run was made from a program.")),
    h("div", {}, h("h3", {}, "Parameters"), parameters.length ? list(parameters) : h("p", { class: "muted" }, "none recorded")),
    h("div", {}, h("h3", {}, "Certificate"), h("p", { class: "acyclic" in run.certificate ? "good" : "bad" }, certificate),
      order && h("details", {}, h("summary", {}, "The order, causes first"), h("p", { class: "order", dir: "auto" }, order.map((name) => name || "(no name)").join(" · ")))));
}

export function warnings(model: Model): HTMLElement | null {
  const { run, notes, edges_left_out, truth_left_out, steps, frames } = model.text;
  const all = [...run.warnings, ...notes];
  if (edges_left_out > 0) all.push(`${count(edges_left_out, "weaker edge")} of ${run.edges} are not in this report; edges.csv has all.`);
  if (truth_left_out > 0) all.push(`${count(truth_left_out, "weaker true edge")} are not in this report.`);
  if (frames.length < steps) all.push(`${frames.length} of ${steps} steps are shown, evenly spread; edges.csv has all.`);
  if (all.length === 0) return null;
  return h("ul", { class: "warnings" }, ...all.map((text) => h("li", { dir: "auto" }, text)));
}
