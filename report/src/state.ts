// What the reader has chosen, in one place, and in the address so that it can be shared.
import type { Edge, Model, Units } from "./model";
import { frameOf } from "./model";

const SORTS = ["change", "q", "strength", "now", "cause", "effect"] as const;
export type Sort = (typeof SORTS)[number];

/** The choices that say which edges pass. */
export const FILTERS = ["lags", "least", "q", "changing", "motion", "units"] as const;

export interface State {
  /** The time, in frames; between two of them while it plays. */
  frame: number;
  playing: boolean;
  edge: number | null;
  variable: number | null;
  /** Show only the chosen variable and its neighbours. */
  focus: boolean;
  hoverEdge: number | null;
  hoverVariable: number | null;
  lags: Set<number>;
  /** Weights below this are not shown. */
  least: number;
  /** Edges with a larger q-value are not shown; 1 shows all, also those that were not tested. */
  q: number;
  /** Show only edges that change. */
  changing: boolean;
  /** Show only edges that move like this; null shows all. */
  motion: string | null;
  sort: Sort;
  /** What weights are shown in. */
  units: Units;
  theme: "auto" | "light" | "dark";
}

type Listener = (state: State, changed: Set<keyof State>) => void;

/** Above this many edges only the strongest are shown at first. */
const CROWDED = 160;

export class Store {
  private listeners: Listener[] = [];
  private writing = 0;
  /** The strength that leaves no more edges than can be told apart. */
  uncrowded = 0;
  state: State;

  constructor(readonly model: Model) {
    this.measure(/(^#|&)units=data(&|$)/.test(location.hash) ? "data" : "sd");
    this.state = { ...this.defaults(), ...this.fromAddress() };
    addEventListener("hashchange", () => this.set({ ...this.defaults(), theme: this.state.theme, ...this.fromAddress() }));
  }

  /** Shows weights in these units, in which strengths are counted too. */
  private measure(units: Units): void {
    this.model.show(units);
    const strengths = this.model.edges.map((edge) => edge.strength).sort((a, b) => b - a);
    this.uncrowded = strengths.length > CROWDED ? Number(strengths[CROWDED - 1]!.toPrecision(2)) : 0;
  }

  subscribe(listener: Listener): void {
    this.listeners.push(listener);
  }

  set(patch: Partial<State>): void {
    const changed = new Set<keyof State>();
    for (const name of Object.keys(patch) as (keyof State)[]) {
      if (patch[name] !== this.state[name]) changed.add(name);
    }
    if (changed.size === 0) return;
    if (patch.units !== undefined && changed.has("units")) {
      const crowded = this.state.least === this.uncrowded;
      const share = this.state.least / this.model.strongest;
      this.measure(patch.units);
      // The slider stays where it is.
      patch = { least: crowded ? this.uncrowded : Number((share * this.model.strongest).toPrecision(2)), ...patch };
      changed.add("least");
    }
    this.state = { ...this.state, ...patch };
    for (const listener of this.listeners) listener(this.state, changed);
    const lasting = [...changed].some((name) => !["hoverEdge", "hoverVariable", "playing"].includes(name));
    if (lasting && !this.state.playing) this.writeSoon();
  }

  /** The weakest weight that is shown: what was left out only for the crowd's sake is shown of one variable. */
  get least(): number {
    const { least, variable } = this.state;
    return variable !== null && least === this.uncrowded ? 0 : least;
  }

  /** Whether an edge passes the filters at any time. */
  passes(edge: Edge): boolean {
    const { lags, q, changing, motion } = this.state;
    return lags.has(edge.lag) && edge.strength >= this.least && (q >= 1 || (edge.q ?? 1) <= q) && (!changing || edge.changing) && (motion === null || edge.motion === motion);
  }

  /** The edges that pass, in the order asked for; those of the chosen variable only, where one is. */
  list(sort: Sort = this.state.sort): Edge[] {
    const { variable, frame } = this.state;
    const edges = this.model.edges.filter((edge) => this.passes(edge));
    const own = variable === null ? edges : edges.filter((edge) => edge.from === variable || edge.to === variable);
    const now = (edge: Edge) => Math.abs(edge.weight[Math.round(frame)] || 0);
    // Edges that were not tested come last, as in `DynamicGraph::ranked` of the library.
    const chanceOf = (edge: Edge) => edge.q ?? edge.p ?? 2;
    // In standard deviations where they are known, whatever is shown.
    const size = (edge: Edge) => Math.abs(edge.standardised ?? edge.strength);
    const by: Record<Sort, (a: Edge, b: Edge) => number> = {
      change: (a, b) => b.range - a.range,
      q: (a, b) => chanceOf(a) - chanceOf(b) || size(b) - size(a),
      strength: (a, b) => b.strength - a.strength,
      now: (a, b) => now(b) - now(a),
      cause: (a, b) => a.from - b.from || a.to - b.to || a.lag - b.lag,
      effect: (a, b) => a.to - b.to || a.from - b.from || a.lag - b.lag,
    };
    return own.sort((a, b) => by[sort](a, b) || a.index - b.index);
  }

  private defaults(): State {
    return {
      frame: Math.floor((this.model.frames - 1) / 2),
      playing: false,
      edge: null,
      variable: null,
      focus: false,
      hoverEdge: null,
      hoverVariable: null,
      lags: new Set(Array.from({ length: this.model.text.lag + 1 }, (_, lag) => lag)),
      least: this.uncrowded,
      q: 1,
      changing: false,
      motion: null,
      sort: "change",
      units: this.model.units,
      theme: "auto",
    };
  }

  private writeSoon(): void {
    clearTimeout(this.writing);
    this.writing = setTimeout(() => history.replaceState(null, "", `#${this.address()}`), 150);
  }

  /** The choices that differ from the defaults; the time always. */
  address(): string {
    const { state, model } = this;
    const usual = this.defaults();
    const parts = [`t=${model.text.frames[Math.round(state.frame)]! + 1}`];
    const edge = state.edge === null ? null : model.edges[state.edge];
    const name = (variable: number) => encodeURIComponent(model.names[variable]!).replaceAll("~", "%7E");
    if (edge) parts.push(`edge=${name(edge.from)}~${name(edge.to)}~${edge.lag}`);
    if (state.variable !== null) parts.push(`variable=${name(state.variable)}`);
    if (state.focus) parts.push("focus=1");
    if (state.lags.size !== usual.lags.size) parts.push(`lags=${[...state.lags].sort((a, b) => a - b).join(",")}`);
    if (state.least !== usual.least) parts.push(`least=${state.least}`);
    if (state.q !== usual.q) parts.push(`q=${state.q}`);
    if (state.changing) parts.push("changing=1");
    if (state.motion !== null) parts.push(`motion=${state.motion}`);
    if (state.sort !== usual.sort) parts.push(`sort=${state.sort}`);
    if (model.scaled && state.units === "data") parts.push("units=data");
    if (state.theme !== "auto") parts.push(`theme=${state.theme}`);
    return parts.join("&");
  }

  private fromAddress(): Partial<State> {
    const found: Partial<State> = {};
    for (const part of location.hash.slice(1).split("&")) {
      const cut = part.indexOf("=");
      try {
        this.read(part.slice(0, cut), part.slice(cut + 1), found);
      } catch {
        // An address that was cut short says less, and breaks nothing.
      }
    }
    return found;
  }

  private read(name: string, value: string, into: Partial<State>): void {
    const { model } = this;
    const variable = (text: string) => model.names.indexOf(decodeURIComponent(text));
    if (name === "t" && Number.isFinite(Number(value))) into.frame = frameOf(model.text.frames, Number(value) - 1);
    if (name === "edge") {
      const [from, to, lag] = value.split("~");
      const edge = model.find(variable(from ?? ""), variable(to ?? ""), Number(lag));
      if (edge) into.edge = edge.index;
    }
    if (name === "variable" && variable(value) >= 0) into.variable = variable(value);
    if (name === "focus") into.focus = value === "1";
    if (name === "lags") into.lags = new Set(value.split(",").map(Number).filter((lag) => lag >= 0 && lag <= model.text.lag));
    if (name === "least" && Number(value) >= 0) into.least = Number(value);
    if (name === "q" && Number(value) > 0 && Number(value) <= 1) into.q = Number(value);
    if (name === "changing") into.changing = value === "1";
    if (name === "motion" && model.edges.some((edge) => edge.motion === value)) into.motion = value;
    if (name === "sort" && (SORTS as readonly string[]).includes(value)) into.sort = value as Sort;
    if (name === "units" && model.scaled && (value === "sd" || value === "data")) into.units = value;
    if (name === "theme" && (value === "light" || value === "dark")) into.theme = value;
  }
}
