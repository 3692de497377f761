// Cause × effect heat maps per lag at a time; the truth below, where there is one.
import { clipped, s, set } from "./dom";
import type { Model } from "./model";
import { between } from "./model";
import { show } from "./numbers";
import { FILTERS, type State, type Store } from "./state";
import { edgeRows, hideTooltip, tooltip } from "./tooltip";

interface Cell {
  rect: SVGRectElement;
  weight: Float32Array;
  edge: number | null;
}

const GAP = 26;

export class MatrixView {
  readonly svg = s("svg", { class: "matrix", role: "img", "aria-label": "Matrices of weights, causes in rows, effects in columns" });
  private cells: Cell[] = [];
  private width = 0;
  private causal = false;

  constructor(
    private readonly model: Model,
    private readonly store: Store,
    private readonly told: (text: string) => void,
  ) {
    store.subscribe((state, changed) => {
      const filters = ["frame", ...FILTERS, "edge", "variable", "hoverEdge", "hoverVariable"] as const;
      if (filters.some((name) => changed.has(name))) this.colour(state);
    });
  }

  /** The strongest weight, learned or true, as weights are shown. */
  private get strongest(): number {
    let most = this.model.strongest;
    for (const edge of this.model.truth ?? []) for (const w of edge.weight) if (Math.abs(w) > most) most = Math.abs(w);
    return most;
  }

  start(): void {
    new ResizeObserver(() => {
      if (Math.abs(this.svg.parentElement!.clientWidth - this.width) > 1) this.draw();
    }).observe(this.svg.parentElement!);
    this.draw();
  }

  /** The order that no instantaneous edge runs against, where one holds at all times. */
  get order(): string[] | null {
    const { certificate } = this.model.text.run;
    return "acyclic" in certificate ? certificate.acyclic.order : null;
  }

  sortCausally(on: boolean): void {
    this.causal = on;
    this.draw();
  }

  private draw(): void {
    this.width = this.svg.parentElement!.clientWidth || 600;
    const { names, text, truth } = this.model;
    const d = names.length;
    const labelled = d <= 26;
    const room = labelled ? Math.min(90, 12 + 6.2 * Math.max(...names.map((_, k) => this.model.name(k).length))) : 12;
    const layers = truth ? 2 : 1;
    const count = (text.lag + 1) * layers;
    const least = labelled ? Math.max(120, Math.min(d * 15, 230)) : 260;
    const fit = Math.min(count, Math.max(1, Math.floor((this.width + GAP) / (least + room + GAP))));
    // The truth stands beside what was learned, also where a row is full.
    const columns = fit > 1 ? fit - (fit % layers) : 1;
    const side = Math.min(labelled ? Math.min(340, Math.max(130, d * 34)) : 430, (this.width - columns * room - (columns - 1) * GAP) / columns);
    const place = this.ranks();
    const block = side + room + 24;
    this.cells = [];
    const parts = Array.from({ length: count }, (_, k) => {
      const lag = Math.floor(k / layers);
      const layer = k % layers;
      const x = (k % columns) * (side + room + GAP) + room;
      const y = Math.floor(k / columns) * block + 22;
      const title = `${layer === 0 ? "Learned" : "True"}, ${lag === 0 ? "same step" : `lag ${lag}`}`;
      return this.panel(title, x, y, side, side / d, place, labelled, lag, layer);
    });
    const height = Math.ceil(count / columns) * block + 8;
    const used = columns * (side + room + GAP) - GAP;
    set(this.svg, "viewBox", `0 0 ${used} ${height}`);
    set(this.svg, "width", used);
    set(this.svg, "height", height);
    this.svg.replaceChildren(...parts);
    this.colour(this.store.state);
  }

  private ranks(): number[] {
    const { names } = this.model;
    if (!this.causal || !this.order) return names.map((_, k) => k);
    const at = new Map(this.order.map((name, k) => [name, k]));
    return names.map((name, k) => at.get(name) ?? k);
  }

  private panel(title: string, x: number, y: number, side: number, cell: number, place: number[], labelled: boolean, lag: number, layer: number): SVGGElement {
    const grid = s("g", { transform: `translate(${x} ${y})`, class: "panel" },
      s("text", { class: "title", x: 0, y: -8 }, title),
      s("rect", { class: "frame", width: side, height: side }));
    if (lag === 0) grid.append(s("line", { class: "diagonal", x1: 0, y1: 0, x2: side, y2: side }));
    const entries = layer === 0
      ? this.model.edges.map((edge) => ({ ...edge, edge: edge.index as number | null }))
      : this.model.truth!.map((edge) => ({ ...edge, edge: this.model.find(edge.from, edge.to, edge.lag)?.index ?? null }));
    const gap = cell > 6 ? 1 : 0;
    for (const { from, to, lag: own, weight, edge } of entries) {
      if (own !== lag) continue;
      const rect = s("rect", { x: (place[to]! * cell + gap / 2).toFixed(2), y: (place[from]! * cell + gap / 2).toFixed(2), width: (Math.max(cell, 1.4) - gap).toFixed(2), height: (Math.max(cell, 1.4) - gap).toFixed(2), rx: cell > 10 ? 2 : 0 });
      grid.append(rect);
      this.cells.push({ rect, weight, edge: layer === 0 ? edge : edge === null ? -1 : edge });
    }
    if (labelled) grid.append(this.labels(cell, side, place));
    const over = s("rect", { class: "over", width: side, height: side });
    const at = (event: MouseEvent): [number, number] => {
      const box = over.getBoundingClientRect();
      const pick = (share: number) => place.indexOf(Math.min(place.length - 1, Math.max(0, Math.floor(share * place.length))));
      return [pick((event.clientY - box.top) / box.height), pick((event.clientX - box.left) / box.width)];
    };
    over.addEventListener("mousemove", (event) => this.point(event, ...at(event), lag));
    over.addEventListener("mouseleave", () => {
      this.store.set({ hoverEdge: null });
      hideTooltip();
    });
    over.addEventListener("click", (event) => {
      const edge = this.model.find(...at(event), lag);
      if (edge) this.store.set({ edge: this.store.state.edge === edge.index ? null : edge.index });
    });
    grid.append(over);
    return grid;
  }

  private labels(cell: number, side: number, place: number[]): SVGGElement {
    const size = Math.min(11, Math.max(7, cell * 0.72));
    const group = s("g", { class: "labels", "font-size": size });
    this.model.names.forEach((_, k) => {
      const name = clipped(this.model.name(k), 82, size);
      const middle = (place[k]! + 0.5) * cell;
      group.append(s("text", { x: -5, y: middle + size * 0.35, "text-anchor": "end" }, name));
      group.append(s("text", { transform: `translate(${middle + size * 0.35} ${side + 5}) rotate(-90)`, "text-anchor": "end" }, name));
    });
    return group;
  }

  private point(event: MouseEvent, from: number, to: number, lag: number): void {
    const edge = this.model.find(from, to, lag);
    this.store.set({ hoverEdge: edge?.index ?? null });
    const { frame } = this.store.state;
    if (edge) return tooltip(event, this.model.title(edge), edgeRows(this.model, edge, frame));
    const truth = this.model.truth?.find((e) => e.from === from && e.to === to && e.lag === lag);
    const rows: [string, string][] = [["learned", "no edge"]];
    if (truth) rows.push([`true weight at ${this.model.label(frame)}`, show(between(truth.weight, frame) || 0)]);
    tooltip(event, this.model.title({ from, to, lag }), rows);
  }

  private colour(state: State): void {
    const { strongest } = this;
    for (const { rect, weight, edge } of this.cells) {
      const value = between(weight, state.frame);
      const own = edge === null || edge < 0 ? null : this.model.edges[edge]!;
      const shown = !Number.isNaN(value) && Math.abs(value) >= this.store.least && value !== 0;
      set(rect, "display", shown ? null : "none");
      if (!shown) continue;
      const chosen = own !== null && (state.edge === own.index || state.hoverEdge === own.index);
      const aside = own !== null && !this.store.passes(own);
      set(rect, "class", `${value >= 0 ? "positive" : "negative"}${chosen ? " chosen" : ""}`);
      set(rect, "fill-opacity", (aside ? 0.08 : 0.12 + 0.88 * Math.min(1, Math.abs(value) / strongest)).toFixed(3));
    }
    this.told(this.compared(state));
  }

  /** Edges as the scores count them: weights that are more than noise, here a tenth of the strongest. */
  private compared(state: State): string {
    if (!this.model.truth) return "";
    const bound = this.store.least || Number((0.1 * this.strongest).toPrecision(1));
    const there = (curve: Float32Array) => Math.abs(between(curve, state.frame)) >= bound;
    const truth = this.model.truth.filter((edge) => there(edge.weight));
    const found = truth.filter((edge) => {
      const own = this.model.find(edge.from, edge.to, edge.lag);
      return own !== null && there(own.weight);
    }).length;
    const learned = this.model.edges.filter((edge) => there(edge.weight)).length;
    return `At ${this.model.label(state.frame)}, counting weights from ${show(bound)}: ${found} of ${truth.length} true edges are found, and ${learned - found} that are not true.`;
  }
}
