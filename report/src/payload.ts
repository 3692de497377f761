// The data of the report as the Rust side writes them: `length · JSON · bytes`, gzip, base64.

export type ChangeKind = "appears" | "goes" | "turns" | "jumps";

export interface RawEdge {
  from: number;
  to: number;
  lag: number;
  weight: [number, number];
  band?: { level: number; low: [number, number]; high: [number, number]; whole?: RawWhole };
  /** The first step after, what happens, and the steps that it lies between where they are known. */
  changes?: ([number, ChangeKind] | [number, ChangeKind, number, number])[];
  /** Whether it changes over time: it comes or goes, or its weight moves. */
  changing: boolean;
  /** How it moves, in words. */
  motion?: string;
  certain?: [number, number][];
  /** What values of the cause do to the effect, where that is no straight line. */
  effect?: RawEffect;
  /** One for each of the columns; null where it is not known. */
  cells: Cell[];
}

/** An effect at values of its cause, at one or several steps. */
export interface RawEffect {
  at: number[];
  level: number;
  curves: { step: number; effect: number[]; low: number[]; high: number[] }[];
}

/** How well a model foretells rows it has not seen. */
export interface RawModel {
  model: string;
  log_likelihood: number;
  gain: number;
  error: number;
  edges: number;
  chosen: boolean;
}

/**
 * How to widen a band to one that holds the whole path: on either side of a centre, `times` the way to the bound, which
 * counts as `least` at the least. The centre is half-way between the bounds, or the weight. At each step it covers what
 * the steps `within` so many of it do: a jump may come earlier or later.
 */
export interface RawWhole {
  times: number;
  least: number;
  halfway: boolean;
  within: number;
}

/** A change that several edges make together. */
export interface RawRegime {
  at: number;
  low: number;
  high: number;
  edges: number[];
  words: string;
}

export type Cell = number | string | null;

/** A column of the table of edges, as the library defines it. */
export interface RawColumn {
  name: string;
  kind: "number" | "word" | "text";
  about: string;
}

export interface RawTruth {
  from: number;
  to: number;
  lag: number;
  weight: [number, number];
}

export interface RawVariable {
  low: number;
  high: number;
  mean: number;
  sd: number;
  missing: number;
  filled: number;
}

export interface RawSeries {
  series: number;
  steps: number;
  missing: number;
  /** How many of the missing cells the fit filled. */
  filled: number;
  buckets: number[];
  variables: RawVariable[];
}

export interface RawFigures {
  variable: string;
  explained: number | null;
  held_out: number | null;
  sd: number;
  autocorrelation: number | null;
  skewness: number | null;
  excess_kurtosis: number | null;
  sd_over_time: (number | null)[];
}

/** What a check says; one about no variable is about the whole graph. */
export interface RawFinding {
  check: string;
  variables: string[];
  figures: Record<string, number>;
  p?: number;
  verdict: "fine" | "doubtful" | "bad";
  words: string;
}

export interface RawChecks {
  summary: string;
  rows: number;
  /** Where the graph predicts worse than the mean. */
  alarms: string[];
  /** Those that are not fine, and those about the whole graph. */
  findings: RawFinding[];
  variables: RawFigures[];
  pairs: { variables: [string, string]; of: string; correlation: number; p: number }[];
}

/** A column in a few numbers: of the first series, evenly spread. */
export interface RawSketch {
  mean: number | null;
  sd: number | null;
  values: (number | null)[];
}

/** What was done to columns before the graph was learned. */
export interface RawPrepared {
  steps: string[];
  lost: number;
  columns: { done?: string[]; unit: number | null; meaning?: string; before?: RawSketch; after?: RawSketch }[];
}

export interface RawRun {
  version: string;
  command?: string;
  method: string;
  parameters: Record<string, unknown>;
  lag: number;
  seed: number;
  threads: number;
  source: string;
  series: number;
  steps: number;
  missing: number;
  edges: number;
  timings: { stage: string; seconds: number }[];
  warnings: string[];
  facts?: { models?: RawModel[]; functions?: string[] | { of_cause: number; of_time: number }; edges?: { selected: number; tested: number; listed: number }; lag?: { chosen: number; worse: number[] }; taken_out?: string[]; knowledge?: { source: string; statements: string[] }; missing?: { how: string; missing: number; filled: number; rows_left_out: number } };
  certificate: { acyclic: { steps: number; order: string[] | null } } | { cyclic: { step: number; cycle: string[] } };
}

export interface RawText {
  names: string[];
  lag: number;
  steps: number;
  weight_levels: number;
  bound_levels: number;
  frames: number[];
  labels: string[] | null;
  places: [number, number][];
  /** The standard deviation of every variable, where it is known. */
  scale?: number[];
  columns: RawColumn[];
  edges: RawEdge[];
  edges_left_out: number;
  /** What counts as changing, as a sentence. */
  changing_means: string;
  regimes?: RawRegime[];
  truth: RawTruth[] | null;
  truth_left_out: number;
  series: RawSeries | null;
  prepared?: RawPrepared;
  checks: RawChecks | null;
  assumption: string;
  run: RawRun;
  certificate: string;
  notes: string[];
}

/** Curves of weights and bounds, one value per frame; NaN where there is none. */
export interface Payload {
  text: RawText;
  weights: Float32Array[];
  lows: (Float32Array | null)[];
  highs: (Float32Array | null)[];
  truths: Float32Array[];
  /** Per variable: smallest, mean, largest, mean of the first series (0 to 254, 255 none), and shares left out and filled. */
  series: Uint8Array[][];
}

/** Undoes base64 and gzip. */
export async function unpack(base64: string): Promise<Payload> {
  const packed = Uint8Array.from(atob(base64.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return decode(new Uint8Array(await new Response(stream).arrayBuffer()));
}

function decode(bytes: Uint8Array): Payload {
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const text = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length))) as RawText;
  const reader = new Reader(bytes, 4 + length, text.frames.length);
  const banded = text.edges.filter((edge) => edge.band);
  const weights = reader.curves(text.edges.map((edge) => edge.weight), text.weight_levels);
  const lows = reader.curves(banded.map((edge) => edge.band!.low), text.bound_levels);
  const highs = reader.curves(banded.map((edge) => edge.band!.high), text.bound_levels);
  const truths = reader.curves((text.truth ?? []).map((edge) => edge.weight), text.weight_levels);
  let next = 0;
  const place = text.edges.map((edge) => (edge.band ? next++ : -1));
  const series = (text.series?.variables ?? []).map(() => reader.rows(6, text.series!.buckets.length));
  return {
    text,
    weights,
    lows: place.map((k) => (k < 0 ? null : lows[k]!)),
    highs: place.map((k) => (k < 0 ? null : highs[k]!)),
    truths,
    series,
  };
}

class Reader {
  constructor(
    private readonly bytes: Uint8Array,
    private offset: number,
    private readonly frames: number,
  ) {}

  /** All low bytes, then all high bytes, of second differences of whole numbers from 0 to `levels`. */
  curves(ranges: [number, number][], levels: number): Float32Array[] {
    const count = ranges.length * this.frames;
    const low = this.bytes.subarray(this.offset, this.offset + count);
    const high = this.bytes.subarray(this.offset + count, this.offset + 2 * count);
    this.offset += 2 * count;
    return ranges.map(([least, most], row) => {
      const curve = new Float32Array(this.frames);
      let last = 0;
      let slope = 0;
      for (let k = 0; k < this.frames; k++) {
        const at = row * this.frames + k;
        const code = low[at]! | (high[at]! << 8);
        const bend = code & 1 ? ~(code >> 1) : code >> 1;
        slope = (slope + bend) & 0xffff;
        last = (last + slope) & 0xffff;
        curve[k] = last === 0xffff ? NaN : least + (most - least) * (last / levels);
      }
      return curve;
    });
  }

  rows(count: number, length: number): Uint8Array[] {
    return Array.from({ length: count }, () => {
      const row = this.bytes.subarray(this.offset, this.offset + length);
      this.offset += length;
      return row;
    });
  }
}
