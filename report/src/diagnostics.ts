// Whether to believe it, and how to do it again.
import { h, s } from "./dom";
import type { Model } from "./model";
import { count, show } from "./numbers";
import type { RawChecks, RawFigures, RawFinding } from "./payload";

/** Rows of the table of residuals before more are asked for. */
const ROWS = 20;

/** Where a check is seen in the table. */
const COLUMNS: Record<string, string> = { explained: "explained", "held out": "held out", whiteness: "autocorrelation", tails: "tails", variance: "noise" };

export function residualChecks(model: Model): HTMLElement {
  const { checks, assumption } = model.text;
  if (!checks) return h("div", {}, h("p", { class: "muted" }, "Residual checks need the data and linear weights; see the notes above."), h("p", {}, assumption));
  const own = new Map<string, RawFinding[]>(checks.variables.map(({ variable }) => [variable, []]));
  for (const finding of checks.findings) if (finding.variables.length === 1) own.get(finding.variables[0]!)?.push(finding);
  const weight = (findings: RawFinding[]) => findings.reduce((sum, { verdict }) => sum + (verdict === "bad" ? 100 : 1), 0);
  const rows = checks.variables.map((figures, place) => ({ figures, place, findings: own.get(figures.variable) ?? [] }));
  rows.sort((a, b) => weight(b.findings) - weight(a.findings) || a.place - b.place);
  const body = h("tbody");
  const fill = (most: number) => body.replaceChildren(...rows.slice(0, most).map(({ figures, place, findings }) => tableRow(model.name(place), figures, findings)));
  fill(ROWS);
  const more = h("button", { type: "button", class: "more", click: () => { fill(rows.length); more.remove(); } }, `Show all ${rows.length}`);
  const head = ["variable", "explained", "held out", "autocorrelation", "skewness", "excess kurtosis", "noise over time", "may mean"];
  return h("div", {},
    h("p", { class: "summary" }, `${checks.summary[0]?.toUpperCase() ?? ""}${checks.summary.slice(1)} (${count(checks.rows, "row")} each).`),
    h("div", { class: "scroll" }, h("table", { class: "checks" }, h("thead", {}, h("tr", {}, ...head.map((text) => h("th", { scope: "col" }, text)))), body)),
    rows.length > ROWS && more,
    pairs(checks));
}

/** Where the graph does harm, for the top of the page. */
export function alarms(model: Model): HTMLElement | null {
  const said = model.text.checks?.alarms ?? [];
  return said.length === 0 ? null : h("ul", { class: "alarms", role: "alert" }, ...said.map((text) => h("li", { dir: "auto" }, text)));
}

function tableRow(name: string, figures: RawFigures, findings: RawFinding[]): HTMLElement {
  const flag = (column: string) => {
    const here = findings.filter(({ check }) => COLUMNS[check] === column);
    return here.some(({ verdict }) => verdict === "bad") ? "flag worst" : here.length > 0 ? "flag" : null;
  };
  const share = Math.max(0, Math.min(1, figures.explained ?? 0));
  const percent = (value: number | null) => (value === null ? "–" : `${Math.round(100 * value)} %`.replace("-", "−"));
  return h("tr", {},
    h("th", { scope: "row", dir: "auto", title: name }, name),
    h("td", { class: flag("explained") }, h("span", { class: "bar" }, bar(share)), percent(figures.explained)),
    h("td", { class: flag("held out") }, percent(figures.held_out)),
    h("td", { class: flag("autocorrelation") }, show(figures.autocorrelation)),
    h("td", { class: flag("tails") }, show(figures.skewness)),
    h("td", { class: flag("tails") }, show(figures.excess_kurtosis)),
    h("td", { class: flag("noise") }, spark(figures.sd_over_time)),
    h("td", { class: "meaning", dir: "auto" }, findings.map(({ words }) => words).join("; ") || "–"));
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

/** What is said of pairs together, and of each where there are several. */
function pairs(checks: RawChecks): HTMLElement {
  const dependence = checks.findings.filter(({ check }) => check === "dependence");
  const each = dependence.filter(({ variables }) => variables.length === 2);
  const all = dependence.filter(({ variables }) => variables.length === 0);
  return h("div", {},
    ...all.map(({ words }) => h("p", { class: "assumption", dir: "auto" }, words)),
    each.length > 1 && h("ul", { class: "pairs" }, ...each.map(({ words }) => h("li", { dir: "auto" }, words))));
}

export function provenance(model: Model): HTMLElement {
  const { run, certificate } = model.text;
  const order = "acyclic" in run.certificate ? run.certificate.acyclic.order : null;
  const seconds = run.timings.reduce((sum, timing) => sum + timing.seconds, 0);
  const facts: [string, string][] = [
    ["method", run.method],
    ["data", run.source],
    ["size", `${count(run.series, "series", "series")} of ${count(run.steps, "step")}, ${count(model.names.length, "variable")}, ${count(run.missing, "missing cell")}`],
    ["lag", lagChoice(run.lag, run.facts?.lag?.worse)],
    ...filling(run.facts),
    ...listing(run.facts),
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
  if (frames.length < steps) all.push(`${frames.length} of ${steps} steps are shown, evenly spread; fit with --every-step for a table of all.`);
  if (all.length === 0) return null;
  return h("ul", { class: "warnings" }, ...all.map((text) => h("li", { dir: "auto" }, text)));
}

/** What was done about missing cells. */
function filling(facts: Model["text"]["run"]["facts"]): [string, string][] {
  const cells = facts?.missing;
  if (!cells) return [];
  const rows = cells.rows_left_out > 0 ? `; ${count(cells.rows_left_out, "row")} left out` : "";
  return [["missing", `${cells.filled} of ${count(cells.missing, "missing cell")} were filled${rows}`]];
}

/** The lag, and how much worse the others were where it was chosen by score. */
function lagChoice(lag: number, worse?: number[]): string {
  if (!worse || worse.length < 2) return String(lag);
  return `${lag}, by score (${worse.map((gap, k) => `${k + 1}: +${Math.round(gap)}`).join(", ")})`;
}

/** How many edges stood up to their tests, and what was taken out of the data first. */
function listing(facts: Model["text"]["run"]["facts"]): [string, string][] {
  const rows: [string, string][] = [];
  const edges = facts?.edges;
  if (edges) rows.push(["edges", `${edges.selected} selected, ${edges.tested} tested, ${edges.listed} listed`]);
  for (const { model, log_likelihood, gain, error, chosen } of facts?.models ?? []) {
    const compared = model === "linear" ? `log likelihood ${show(log_likelihood)} per unseen row` : `${gain < 0 ? "" : "+"}${show(gain)} ± ${show(error)} over all rows`;
    rows.push([`model ${model}`, `${compared}${chosen ? " (taken)" : ""}`]);
  }
  const functions = facts?.functions;
  if (Array.isArray(functions)) rows.push(["functions", functions.join(", ")]);
  else if (functions) rows.push(["functions", `${functions.of_cause} of each cause, ${functions.of_time} of time`]);
  for (const words of facts?.knowledge?.statements ?? []) rows.push(["known before", words]);
  for (const words of facts?.taken_out ?? []) rows.push(["beforehand", words]);
  return rows;
}
