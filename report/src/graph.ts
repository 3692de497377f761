// The graph at a time: variables that stay where they are, edges that come, go, grow and fade.
import { clipped, h, s, set, textWidth } from "./dom";
import { curve, loop, separate, type Box, type Point } from "./geometry";
import { between, type Edge, type Model } from "./model";
import { Motion } from "./motion";
import { egoPlaces } from "./neighbourhood";
import { FILTERS, type State, type Store } from "./state";
import { edgeRows, hideTooltip, tooltip, variableRows } from "./tooltip";
import { Zoom } from "./zoom";

interface Drawn {
  edge: Edge;
  group: SVGGElement;
  line: SVGPathElement;
  /** Round an edge that was required. */
  halo: SVGPathElement | null;
  hit: SVGPathElement;
  head: SVGPathElement;
  label: SVGTextElement | null;
  /** How far its curve is bent beside others between the same two. */
  bend: number;
}

interface Node {
  group: SVGGElement;
  shape: SVGRectElement;
  caption: SVGGElement;
  text: SVGTextElement;
  width: number;
  height: number;
}

/** Up to this many variables names stand in their nodes. */
const NAMES_INSIDE = 30;
/** More than this many variables are drawn finer. */
const NAMES_BESIDE = 80;
/** Names beside their nodes, at most. */
const MOST_NAMES = 90;

export class GraphView {
  readonly svg = s("svg", { class: "graph", tabindex: 0, role: "application", "aria-label": "Graph: arrow keys choose a variable, Enter shows its neighbourhood" });
  private readonly scene = s("g");
  private readonly lines = s("g", { class: "edges" });
  private readonly dots = s("g", { class: "nodes" });
  /** Names lie above all nodes. */
  private readonly captions = s("g", { class: "captions" });
  private readonly empty = s("text", { class: "empty", "text-anchor": "middle" }, "");
  private nodes: Node[] = [];
  private drawn: Drawn[] = [];
  private readonly zoom: Zoom;
  private readonly motion: Motion;
  private size = { width: 800, height: 560 };
  private near: Set<number> | null = null;
  private labels: number[] = [];

  constructor(
    private readonly model: Model,
    private readonly store: Store,
  ) {
    this.scene.append(this.lines, this.dots, this.captions);
    this.svg.append(this.scene, this.empty);
    this.zoom = new Zoom(this.svg, this.scene);
    this.motion = new Motion(() => this.place());
    this.drawn = this.bends().map(([edge, bend]) => this.drawEdge(edge, bend));
    this.nodes = model.names.map((_, variable) => this.drawNode(variable));
    this.svg.addEventListener("click", (event) => {
      if (event.target === this.svg) store.set({ edge: null, variable: null, focus: false });
    });
    this.svg.addEventListener("keydown", (event) => this.key(event));
    store.subscribe((state, changed) => this.update(state, changed));
  }

  /** Begins, once the element has a size. */
  start(): void {
    new ResizeObserver(() => this.measure()).observe(this.svg);
    this.measure();
    this.restyle();
  }

  controls(): HTMLElement {
    const button = (text: string, label: string, act: () => void) => h("button", { type: "button", "aria-label": label, title: label, click: act }, text);
    return h("div", { class: "zoom" },
      button("+", "Zoom in", () => this.zoom.by(1.35)),
      button("−", "Zoom out", () => this.zoom.by(1 / 1.35)),
      button("⤢", "Show all", () => this.zoom.reset()));
  }

  private update(state: State, changed: Set<keyof State>): void {
    const refilter = [...FILTERS, "edge", "variable", "focus", "hoverEdge", "hoverVariable"] as const;
    if (changed.has("focus") || (state.focus && (["variable", ...FILTERS] as const).some((name) => changed.has(name)))) this.arrange(true);
    if (changed.has("frame") || refilter.some((name) => changed.has(name))) this.restyle();
  }

  private measure(): void {
    const { clientWidth: width, clientHeight: height } = this.svg;
    if (width === 0 || height === 0) return;
    this.size = { width, height };
    set(this.svg, "viewBox", `0 0 ${width} ${height}`);
    set(this.empty, "x", width / 2);
    set(this.empty, "y", height / 2);
    this.arrange(false);
  }

  private get inside(): boolean {
    return this.near ? this.near.size <= NAMES_INSIDE : this.model.names.length <= NAMES_INSIDE && this.size.width > 420;
  }

  /** Where everybody should be: all in their places, or the neighbours of one round it. */
  private arrange(animated: boolean): void {
    const { focus, variable } = this.store.state;
    const { width, height } = this.size;
    const ego = focus && variable !== null ? egoPlaces(this.model, this.store, variable, width, height) : null;
    this.near = ego ? new Set(ego.keys()) : null;
    this.shapeNodes();
    const half = this.inside ? Math.min(70, Math.max(...this.nodes.map((node) => node.width)) / 2) : 30;
    const margin = { x: half + 14, top: 40, bottom: 40 };
    const target = this.model.text.places.map(([x, y], k): Point => {
      const own = ego?.get(k);
      if (own) return own;
      return { x: margin.x + x * (width - 2 * margin.x), y: margin.top + y * (height - margin.top - margin.bottom) };
    });
    if (this.inside && !ego) separate(target, this.nodes, width, height);
    if (animated) this.zoom.reset();
    this.motion.to(target, animated && !matchMedia("(prefers-reduced-motion: reduce)").matches);
  }

  private shapeNodes(): void {
    const { inside } = this;
    const room = this.near ? 190 : this.model.names.length <= 14 ? 150 : 110;
    this.nodes.forEach((node, variable) => {
      const name = clipped(this.model.name(variable), inside ? room : 120, inside ? 13 : 11);
      node.text.textContent = name;
      this.labels[variable] = textWidth(name, 11);
      const links = Math.sqrt(this.model.parents[variable]!.length + this.model.children[variable]!.length);
      const hub = this.model.names.length > NAMES_BESIDE ? 2 + Math.min(3, 0.7 * links) : 3.2 + Math.min(4, links);
      node.width = inside ? Math.max(30, textWidth(name, 13, 500) + 18) : 2 * hub;
      node.height = inside ? 26 : 2 * hub;
      set(node.shape, "width", node.width);
      set(node.shape, "height", node.height);
      set(node.shape, "x", -node.width / 2);
      set(node.shape, "y", -node.height / 2);
      set(node.shape, "rx", node.height / 2);
      set(node.text, "y", inside ? 4.5 : -hub - 4);
      set(node.text, "class", inside ? "inside" : "beside");
    });
  }

  /** Edges between the same two, one beside the other. */
  private bends(): [Edge, number][] {
    const seen = new Map<string, number>();
    return this.model.edges.map((edge) => {
      const pair = `${edge.from},${edge.to}`;
      const before = seen.get(pair) ?? 0;
      seen.set(pair, before + 1);
      return [edge, before];
    });
  }

  private drawEdge(edge: Edge, bend: number): Drawn {
    const line = s("path", { class: edge.lag > 0 ? "line lagged" : "line" });
    const halo = edge.given === "edge" ? s("path", { class: "halo" }) : null;
    const head = s("path", { class: "head" });
    const hit = s("path", { class: "hit" });
    const label = edge.lag > 0 && this.model.text.lag > 1 ? s("text", { class: "lag" }, String(edge.lag)) : null;
    const group = s("g", {
      "data-edge": edge.index,
      mousemove: (event) => {
        this.store.set({ hoverEdge: edge.index });
        tooltip(event as MouseEvent, this.model.title(edge), edgeRows(this.model, edge, this.store.state.frame));
      },
      mouseleave: () => {
        this.store.set({ hoverEdge: null });
        hideTooltip();
      },
      click: () => this.store.set({ edge: this.store.state.edge === edge.index ? null : edge.index }),
    }, halo, line, head, label, hit);
    this.lines.append(group);
    return { edge, group, line, halo, hit, head, label, bend };
  }

  private drawNode(variable: number): Node {
    const shape = s("rect");
    const text = s("text", { "text-anchor": "middle" });
    const group = s("g", {
      class: "node",
      "data-variable": variable,
      mousemove: (event) => {
        this.store.set({ hoverVariable: variable });
        tooltip(event as MouseEvent, this.model.name(variable), variableRows(this.model, variable, this.store.state.frame));
      },
      mouseleave: () => {
        this.store.set({ hoverVariable: null });
        hideTooltip();
      },
      click: () => {
        const { variable: chosen, focus } = this.store.state;
        if (chosen === variable) this.store.set(focus ? { focus: false, variable: null } : { variable: null });
        else this.store.set({ variable, edge: null });
      },
      dblclick: () => this.store.set({ variable, focus: true }),
    }, shape);
    const caption = s("g", { class: "caption" }, text);
    this.dots.append(group);
    this.captions.append(caption);
    return { group, shape, caption, text, width: 0, height: 0 };
  }

  /** Puts nodes and curves where the motion has them. */
  private place(): void {
    const at = this.motion.places;
    this.nodes.forEach((node, k) => {
      const there = `translate(${at[k]!.x.toFixed(1)} ${at[k]!.y.toFixed(1)})`;
      set(node.group, "transform", there);
      set(node.caption, "transform", there);
    });
    this.restyle();
  }

  private box(variable: number): Box {
    const { x, y } = this.motion.places[variable]!;
    const { width, height } = this.nodes[variable]!;
    return { x, y, width: width + 4, height: height + 4 };
  }

  /** Width, colour and presence of every edge at the time; what is chosen stands out. */
  private restyle(): void {
    if (this.motion.places.length === 0) return;
    const { state } = this.store;
    const lit = this.lit(state);
    const busy = new Float32Array(this.nodes.length);
    let visible = 0;
    const crowded = this.model.names.length > NAMES_BESIDE;
    for (const drawn of this.drawn) {
      const { edge } = drawn;
      const weight = between(edge.weight, state.frame);
      const size = Math.abs(weight);
      const outside = this.near && edge.from !== state.variable && edge.to !== state.variable;
      const there = !Number.isNaN(weight) && size >= this.store.least && (size > 0 || edge.given === "edge") && this.store.passes(edge) && !outside;
      set(drawn.group, "display", there ? null : "none");
      if (!there) continue;
      visible++;
      busy[edge.from]! += size;
      busy[edge.to]! += size;
      const share = Math.min(1, size / this.model.strongest);
      const chosen = state.edge === edge.index || state.hoverEdge === edge.index;
      const dim = lit ? !lit.edges.has(edge.index) : false;
      const width = (crowded ? 0.5 : 0.8) + (crowded ? 3.2 : 5) * share + (chosen ? 1 : 0);
      const opacity = dim ? 0.07 : chosen || lit ? 0.95 : (crowded ? 0.2 : 0.3) + 0.65 * Math.sqrt(share);
      this.shapeEdge(drawn, width);
      set(drawn.group, "class", `edge ${weight >= 0 ? "positive" : "negative"}${chosen ? " chosen" : ""}`);
      set(drawn.group, "opacity", opacity.toFixed(3));
      set(drawn.line, "stroke-width", width.toFixed(2));
      if (drawn.label) set(drawn.label, "display", chosen || (!dim && (lit || !crowded) && this.drawn.length <= 90) || (lit && !dim) ? null : "none");
    }
    this.restyleNodes(state, lit, busy);
    this.empty.textContent = visible > 0 ? "" : this.model.edges.length === 0 ? "No edge was found." : "No edge at this time passes the filters.";
  }

  private shapeEdge(drawn: Drawn, width: number): void {
    const { edge, bend } = drawn;
    const from = this.box(edge.from);
    const centre = { x: this.size.width / 2, y: this.size.height / 2 };
    const shape = edge.from === edge.to ? loop(from, centre, bend, width) : curve(from, this.box(edge.to), bend, width, edge.mark !== "directed");
    set(drawn.line, "d", shape.line);
    set(drawn.hit, "d", shape.line);
    if (drawn.halo) {
      set(drawn.halo, "d", shape.line);
      set(drawn.halo, "stroke-width", (width + 6).toFixed(2));
    }
    set(drawn.head, "d", edge.mark === "directed" ? shape.head : "");
    if (edge.lag > 0) set(drawn.line, "stroke-dasharray", `${(3 + width).toFixed(1)} ${(2.5 + width).toFixed(1)}`);
    if (drawn.label) {
      set(drawn.label, "x", shape.middle.x.toFixed(1));
      set(drawn.label, "y", (shape.middle.y + 3.5).toFixed(1));
    }
  }

  private restyleNodes(state: State, lit: { nodes: Set<number> } | null, busy: Float32Array): void {
    const named = this.inside ? null : this.named(state, lit, busy);
    this.nodes.forEach((node, variable) => {
      const away = this.near !== null && !this.near.has(variable);
      set(node.group, "display", away ? "none" : null);
      set(node.caption, "display", away || (named !== null && !named.has(variable)) ? "none" : null);
      if (away) return;
      const chosen = state.variable === variable || state.hoverVariable === variable;
      const dim = lit ? !lit.nodes.has(variable) : false;
      const quiet = busy[variable] === 0 && !lit;
      const looks = `${chosen ? " chosen" : ""}${dim ? " dim" : ""}${quiet ? " quiet" : ""}`;
      set(node.group, "class", `node${looks}`);
      set(node.caption, "class", `caption${looks}`);
    });
  }

  /** The names there is room for: what is lit first, then those with the strongest edges. */
  private named(state: State, lit: { nodes: Set<number> } | null, busy: Float32Array): Set<number> {
    const rank = (k: number) => (k === state.variable || k === state.hoverVariable ? 1e9 : lit?.nodes.has(k) ? 1e6 : 0) + busy[k]!;
    const order = [...busy.keys()].filter((k) => !this.near || this.near.has(k)).sort((a, b) => rank(b) - rank(a) || a - b);
    const crowded = this.model.names.length > NAMES_BESIDE;
    const taken: { x: number; y: number; half: number }[] = [];
    const named = new Set<number>();
    for (const k of order) {
      if (lit ? !lit.nodes.has(k) : crowded && busy[k] === 0) break;
      const { x, y } = this.motion.places[k]!;
      const half = this.labels[k]! / 2 + 2;
      const free = taken.every((other) => Math.abs(other.y - y) > 13 || Math.abs(other.x - x) > half + other.half);
      if (!free && rank(k) < 1e9) continue;
      taken.push({ x, y, half });
      named.add(k);
      if (named.size >= MOST_NAMES) break;
    }
    return named;
  }

  /** What the chosen or pointed-at edge or variable concerns. */
  private lit(state: State): { nodes: Set<number>; edges: Set<number> } | null {
    const edge = this.model.edges[state.hoverEdge ?? state.edge ?? -1];
    const variable = state.hoverVariable ?? (state.hoverEdge === null ? state.variable : null);
    if (variable !== null) {
      const own = [...this.model.parents[variable]!, ...this.model.children[variable]!].filter((e) => this.store.passes(e));
      const now = own.filter((e) => Math.abs(between(e.weight, state.frame)) >= this.store.least);
      const nodes = new Set([variable, ...now.flatMap((e) => [e.from, e.to])]);
      return { nodes, edges: new Set(now.map((e) => e.index)) };
    }
    return edge ? { nodes: new Set([edge.from, edge.to]), edges: new Set([edge.index]) } : null;
  }

  private key(event: KeyboardEvent): void {
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const { variable, focus } = this.store.state;
    if (way !== undefined) {
      const count = this.model.names.length;
      this.store.set({ variable: variable === null ? 0 : (variable + way + count) % count, edge: null });
      event.preventDefault();
    } else if (event.key === "Enter" && variable !== null) {
      this.store.set({ focus: !focus });
      event.preventDefault();
    }
  }
}
