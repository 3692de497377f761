// The numbers behind what the pointer is on.
import { h } from "./dom";
import type { Edge, Model } from "./model";
import { between, strongest } from "./model";
import { chance, count, show } from "./numbers";

const box = h("div", { class: "tooltip", role: "status", hidden: true });

export function mountTooltip(): void {
  document.body.append(box);
  addEventListener("scroll", hideTooltip, { passive: true });
}

export function hideTooltip(): void {
  box.hidden = true;
}

/** Shows lines of text beside the pointer: a title, then names with values. */
export function tooltip(event: MouseEvent, title: string, rows: [string, string][]): void {
  const list = h("dl");
  for (const [name, value] of rows) list.append(h("dt", {}, name), h("dd", {}, value));
  box.replaceChildren(h("strong", { dir: "auto" }, title), list);
  box.hidden = false;
  const { width, height } = box.getBoundingClientRect();
  const left = Math.min(event.clientX + 14, innerWidth - width - 8);
  const top = event.clientY + 16 + height > innerHeight ? event.clientY - height - 12 : event.clientY + 16;
  box.style.left = `${Math.max(8, left)}px`;
  box.style.top = `${Math.max(8, top)}px`;
}

/** What is known of an edge at a time. */
export function edgeRows(model: Model, edge: Edge, frame: number): [string, string][] {
  const weight = between(edge.weight, frame);
  const rows: [string, string][] = [[`weight at ${model.label(frame)}`, Number.isNaN(weight) ? "not there" : model.both(edge, weight)]];
  if (edge.low && edge.high && !Number.isNaN(weight)) {
    const bounds = `${show(between(edge.low, frame))} to ${show(between(edge.high, frame))}`;
    rows.push([`${Math.round(100 * edge.level)} % band`, bounds]);
    if (edge.whole) rows.push(["of the whole path", `${show(between(edge.whole.low, frame))} to ${show(between(edge.whole.high, frame))}`]);
  }
  if (model.truth) rows.push(["true weight", edge.truth ? show(between(edge.truth, frame) || 0) : "0 (no such edge)"]);
  rows.push(["strongest", model.both(edge, strongest(edge.weight))], ["moves by", show(edge.range)], ["there", edge.there ?? presence(model, edge)]);
  if (edge.motionWords !== null) rows.push(["motion", edge.motionWords]);
  if (edge.q !== null || edge.p !== null) rows.push(["no such edge", edge.q !== null ? `q ${chance(edge.q)}` : `p ${chance(edge.p)}`]);
  if (edge.unchangingQ !== null) rows.push(["does not change", `q ${chance(edge.unchangingQ)}`]);
  if (edge.foundBy !== null) rows.push(["found by", edge.foundBy]);
  if (edge.support !== null) rows.push(["found again in", `${Math.round(100 * edge.support)} % of resamples`]);
  const direction = directionWords(edge);
  if (direction !== "") rows.push(["direction", direction]);
  if (edge.given !== "nothing") rows.push(["known before", GIVEN[edge.given]]);
  return rows;
}

/** What was known of an edge before the data were asked. */
export const GIVEN = { nothing: "", direction: "its direction", edge: "that it is there" };

/** What is to be said of the direction of an edge; nothing where it goes without saying. */
function directionWords(edge: Edge): string {
  const sure = edge.confidence === null ? "" : `right with confidence ${edge.confidence.toFixed(2)}`;
  const open = { directed: "", undirected: "the data cannot tell", conflict: "parts of the data point both ways" }[edge.mark];
  return [open, sure].filter((text) => text !== "").join("; ");
}

/** When an edge is there, in the times of the data. */
export function presence(model: Model, edge: Edge): string {
  const stretches: [number, number][] = [];
  edge.weight.forEach((weight, frame) => {
    if (Number.isNaN(weight)) return;
    const last = stretches.at(-1);
    if (last && last[1] === frame - 1) last[1] = frame;
    else stretches.push([frame, frame]);
  });
  const [first] = stretches;
  if (stretches.length === 1 && first && first[0] === 0 && first[1] === model.frames - 1) return "always";
  if (stretches.length === 1 && first) return `${model.label(first[0])} to ${model.label(first[1])}`;
  return `${stretches.length} stretches`;
}

/** What is known of a variable. */
export function variableRows(model: Model, variable: number, frame: number): [string, string][] {
  const now = (edges: Edge[]) => edges.filter((edge) => edge.from !== edge.to && !Number.isNaN(edge.weight[Math.round(frame)] ?? NaN));
  const names = (edges: Edge[], end: "from" | "to") =>
    [...new Set(edges.map((edge) => model.name(edge[end])))].slice(0, 6).join(", ") || "none";
  const causes = now(model.parents[variable]!);
  const effects = now(model.children[variable]!);
  return [
    [count(causes.length, "cause"), names(causes, "from")],
    [count(effects.length, "effect"), names(effects, "to")],
  ];
}
