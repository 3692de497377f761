// What is shown: edges with what can be said of them over all times.
import type { Cell, ChangeKind, Payload, RawEdge, RawEffect, RawText } from "./payload";
import { show } from "./numbers";
import { wholeBand, type Band } from "./whole";

export type Mark = "directed" | "undirected" | "conflict";

/** What was known of an edge before: nothing, its direction, or that it is there. */
export type Given = "nothing" | "direction" | "edge";

/** Weights in standard deviations of the effect per standard deviation of the cause, or as the data have them. */
export type Units = "sd" | "data";

/** Something that happens to an edge, and the frames that it lies between where they are known. */
export interface Change {
  frame: number;
  kind: ChangeKind;
  within: [number, number] | null;
}

/** A change that several edges make together, in frames. */
export interface Regime {
  frame: number;
  within: [number, number];
  edges: Edge[];
  words: string;
}

export interface Edge {
  index: number;
  from: number;
  to: number;
  lag: number;
  weight: Float32Array;
  low: Float32Array | null;
  high: Float32Array | null;
  /** The band that holds the whole path as often as `level` says. */
  whole: Band | null;
  level: number;
  truth: Float32Array | null;
  /** Largest absolute weight over time. */
  strength: number;
  /** Largest less smallest weight; where it is not there counts as 0. */
  range: number;
  /** Whether it is taken to change: by its test where there is one, else by how far it moves. */
  changing: boolean;
  changes: Change[];
  /** What its motion is called; null where it is not known. */
  motion: string | null;
  /** The same in words, with how likely it is and when it changes. */
  motionWords: string | null;
  p: number | null;
  q: number | null;
  unchangingQ: number | null;
  certain: [number, number][];
  /** What values of the cause do; null where a weight says it all. */
  effect: RawEffect | null;
  /** When it is certainly there, in words; null where that is not known. */
  there: string | null;
  mark: Mark;
  given: Given;
  /** What a weight in data units is multiplied by to be one in standard deviations; null where that is not known. */
  unit: number | null;
  /** How likely the direction shown is right, from 0 to 1. */
  confidence: number | null;
  support: number | null;
  /** The methods that found it, where several were compared. */
  foundBy: string | null;
  /** The strongest weight in standard deviations, with its sign. */
  standardised: number | null;
  /** What the columns of the table of edges say. */
  cells: Cell[];
}

export interface TrueEdge {
  from: number;
  to: number;
  lag: number;
  weight: Float32Array;
}

export class Model {
  readonly text: RawText;
  readonly names: string[];
  readonly frames: number;
  readonly edges: Edge[];
  readonly regimes: Regime[];
  readonly truth: TrueEdge[] | null;
  readonly series: Uint8Array[][];
  readonly parents: Edge[][];
  readonly children: Edge[][];
  /** What weights are shown in. */
  units: Units = "data";
  /** The strongest weight of all, at least a hair above 0, as weights are shown. */
  strongest = 1e-12;
  /** Where each column of the table of edges stands among the cells of an edge. */
  private readonly columns: Map<string, number>;
  private readonly byPlace = new Map<string, Edge>();

  constructor(payload: Payload) {
    const { text } = payload;
    this.text = text;
    this.names = text.names;
    this.frames = text.frames.length;
    this.series = payload.series;
    this.truth = text.truth?.map((edge, k) => ({ ...edge, weight: payload.truths[k]! })) ?? null;
    const truths = new Map(this.truth?.map((edge) => [key(edge), edge.weight]));
    this.columns = new Map(text.columns.map((column, k) => [column.name, k]));
    this.edges = text.edges.map((_, index) => this.edge(payload, index, truths));
    const frame = (step: number) => frameOf(text.frames, step);
    this.regimes = (text.regimes ?? []).map(({ at, low, high, edges, words }) => ({
      frame: frame(at), within: [frame(low), frame(high)], edges: edges.map((k) => this.edges[k]!), words,
    }));
    this.parents = this.names.map(() => []);
    this.children = this.names.map(() => []);
    for (const edge of this.edges) {
      this.parents[edge.to]!.push(edge);
      this.children[edge.from]!.push(edge);
      this.byPlace.set(key(edge), edge);
    }
    this.strongest = this.most();
  }

  /** Whether weights can be shown in standard deviations. */
  get scaled(): boolean {
    return this.edges.length > 0 && this.edges.every((edge) => edge.unit !== null);
  }

  /** Shows all weights in other units: curves are changed where they stand. */
  show(units: Units): void {
    if (units === this.units || !this.scaled) return;
    const factor = (unit: number) => (units === "sd" ? unit : 1 / unit);
    for (const edge of this.edges) {
      const by = factor(edge.unit!);
      for (const curve of [edge.weight, edge.low, edge.high, edge.whole?.low, edge.whole?.high]) if (curve) times(curve, by);
      edge.strength *= by;
      edge.range *= by;
    }
    for (const edge of this.truth ?? []) times(edge.weight, factor(this.unit(edge.from, edge.to) ?? 1));
    this.units = units;
    this.strongest = this.most();
  }

  /** A weight as it is shown, in data units. */
  inData(edge: Edge, weight: number): number {
    return this.units === "sd" ? weight / edge.unit! : weight;
  }

  /** A weight as it is shown, with what it is in the other units. */
  both(edge: Edge, weight: number): string {
    if (edge.unit === null || Number.isNaN(weight)) return show(weight);
    return this.units === "sd" ? `${show(weight)} sd (${show(weight / edge.unit)} in data units)` : `${show(weight)} (${show(weight * edge.unit)} sd)`;
  }

  private most(): number {
    return Math.max(1e-12, ...this.edges.map((edge) => edge.strength));
  }

  private unit(from: number, to: number): number | null {
    const { scale } = this.text;
    const unit = scale ? scale[from]! / scale[to]! : NaN;
    return Number.isFinite(unit) && unit > 0 ? unit : null;
  }

  find(from: number, to: number, lag: number): Edge | null {
    return this.byPlace.get(key({ from, to, lag })) ?? null;
  }

  /** The name to show: an empty one has to be seen too. */
  name(variable: number): string {
    const name = this.names[variable] ?? "";
    return name.trim() === "" ? `(no name, ${variable + 1})` : name;
  }

  title(edge: { from: number; to: number; lag: number }): string {
    return `${this.name(edge.from)} → ${this.name(edge.to)}${edge.lag > 0 ? `, lag ${edge.lag}` : ""}`;
  }

  /** The time of a frame, as the data have it. */
  label(frame: number): string {
    const k = Math.round(frame);
    return this.text.labels?.[k] ?? String(this.text.frames[k]! + 1);
  }

  private edge(payload: Payload, index: number, truths: Map<string, Float32Array>): Edge {
    const raw = payload.text.edges[index]!;
    const weight = payload.weights[index]!;
    const present = weight.filter((w) => !Number.isNaN(w));
    const always = present.length === weight.length;
    const ends = always ? present : [...present, 0];
    const most = extreme(ends, Math.max, -Infinity);
    const least = extreme(ends, Math.min, Infinity);
    const strength = Math.max(Math.abs(most), Math.abs(least));
    const range = most - least;
    const motion = this.cell(raw, "motion") as string | null;
    const there = this.cell(raw, "there") as string | null;
    const frame = (step: number) => frameOf(payload.text.frames, step);
    const low = payload.lows[index]!;
    const high = payload.highs[index]!;
    return {
      index,
      from: raw.from,
      to: raw.to,
      lag: raw.lag,
      weight,
      low,
      high,
      whole: low && high && raw.band?.whole ? wholeBand(weight, low, high, raw.band.whole, payload.text.frames) : null,
      level: raw.band?.level ?? 0,
      truth: truths.get(key(raw)) ?? null,
      strength,
      range,
      changing: raw.changing,
      changes: (raw.changes ?? []).map(([step, kind, first, last]) => ({
        frame: frame(step), kind, within: first === undefined || last === undefined ? null : [frame(first), frame(last)],
      })),
      motion,
      motionWords: raw.motion ?? null,
      p: this.number(raw, "p"),
      q: this.number(raw, "q"),
      unchangingQ: this.number(raw, "q_unchanging"),
      effect: raw.effect ?? null,
      certain: (raw.certain ?? []).map(([a, b]) => [frame(a), frame(b)]),
      there,
      mark: (this.cell(raw, "mark") ?? "directed") as Mark,
      given: (this.cell(raw, "given") ?? "nothing") as Given,
      unit: this.unit(raw.from, raw.to),
      confidence: this.number(raw, "confidence"),
      support: this.number(raw, "support"),
      foundBy: this.cell(raw, "found_by") as string | null,
      standardised: this.number(raw, "strength"),
      cells: raw.cells,
    };
  }

  private cell(raw: RawEdge, name: string): Cell {
    const place = this.columns.get(name);
    return place === undefined ? null : raw.cells[place] ?? null;
  }

  private number(raw: RawEdge, name: string): number | null {
    const cell = this.cell(raw, name);
    return typeof cell === "number" ? cell : null;
  }
}

function times(curve: Float32Array, factor: number): void {
  for (let k = 0; k < curve.length; k++) curve[k]! *= factor;
}

function key(edge: { from: number; to: number; lag: number }): string {
  return `${edge.lag},${edge.from},${edge.to}`;
}

function extreme(values: Iterable<number>, pick: (a: number, b: number) => number, start: number): number {
  let best = start;
  for (const value of values) best = pick(best, value);
  return Number.isFinite(best) ? best : 0;
}

/** Where a step lies among the frames, which may be fewer. */
export function frameOf(frames: number[], step: number): number {
  let low = 0;
  let high = frames.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (frames[middle]! < step) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The value between two frames; where it is there only on one side it fades to 0. */
export function between(curve: Float32Array, frame: number): number {
  const k = Math.floor(frame);
  const here = curve[k] ?? NaN;
  const share = frame - k;
  if (share < 1e-6) return here;
  const next = curve[k + 1] ?? NaN;
  if (Number.isNaN(here) && Number.isNaN(next)) return NaN;
  return (Number.isNaN(here) ? 0 : here) * (1 - share) + (Number.isNaN(next) ? 0 : next) * share;
}

/** The weight that is largest in absolute value, with its sign. */
export function strongest(curve: Float32Array): number {
  return curve.reduce((best, weight) => (Math.abs(weight) > Math.abs(best) ? weight : best), 0);
}
