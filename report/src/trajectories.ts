// Each edge's weight over time, with its band, its truth and what happens to it.
import { clipped, s, set, textWidth } from "./dom";
import type { Change, Edge, Model } from "./model";
import { between } from "./model";
import { show } from "./numbers";
import { FILTERS, type State, type Store } from "./state";
import { edgeRows, hideTooltip, tooltip } from "./tooltip";

const ROW = 74;
const TOP = 6;
const LEFT = 44;
const RIGHT = 10;
const AXIS = 20;

interface Row {
  edge: Edge;
  group: SVGGElement;
  cursor: SVGLineElement;
  dot: SVGCircleElement;
  value: SVGTextElement;
  y: (weight: number) => number;
}

export class TrajectoriesView {
  readonly svg = s("svg", { class: "trajectories", role: "group", "aria-label": "Weights over time" });
  private rows: Row[] = [];
  private width = 480;
  private most = 7;

  constructor(
    private readonly model: Model,
    private readonly store: Store,
    private readonly told: (shown: number, all: number) => void,
  ) {
    store.subscribe((state, changed) => this.update(state, changed));
  }

  start(): void {
    new ResizeObserver(() => {
      if (Math.abs(this.svg.clientWidth - this.width) > 1) this.draw();
    }).observe(this.svg);
    this.draw();
  }

  more(): void {
    this.most += 24;
    this.draw();
  }

  private update(state: State, changed: Set<keyof State>): void {
    const redraw = ([...FILTERS, "variable", "sort", "edge"] as const).some((name) => changed.has(name));
    if (redraw || (changed.has("frame") && state.sort === "now" && !state.playing)) this.draw();
    else if (changed.has("frame") || changed.has("playing")) this.moveCursor();
    if (changed.has("hoverEdge") || changed.has("hoverVariable")) this.light(state);
  }

  private draw(): void {
    this.width = this.svg.clientWidth || 480;
    const { state } = this.store;
    const list = this.store.list();
    const chosen = state.edge === null ? undefined : this.model.edges[state.edge];
    const shown = list.slice(0, this.most);
    // What was chosen elsewhere has to be seen here too.
    if (chosen && !shown.includes(chosen)) shown.unshift(chosen);
    const height = shown.length * ROW + AXIS;
    set(this.svg, "viewBox", `0 0 ${this.width} ${height}`);
    set(this.svg, "height", height);
    this.rows = shown.map((edge, k) => this.drawRow(edge, k));
    this.svg.replaceChildren(...this.rows.map((row) => row.group), this.axis(shown.length * ROW));
    this.told(shown.length, list.length);
    this.moveCursor();
    this.light(state);
  }

  private x(frame: number): number {
    return LEFT + (frame / Math.max(1, this.model.frames - 1)) * (this.width - LEFT - RIGHT);
  }

  private drawRow(edge: Edge, k: number): Row {
    const bottom = ROW - 12;
    const top = TOP + 18;
    const curves = [edge.weight, edge.low, edge.high, edge.whole?.low ?? null, edge.whole?.high ?? null, edge.truth].filter((c) => c !== null);
    let low = 0;
    let high = 0;
    for (const curve of curves) for (const value of curve) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
    const span = high - low || 1;
    const y = (weight: number) => bottom - ((weight - low) / span) * (bottom - top);
    const chosen = this.store.state.edge === edge.index;
    const room = this.width - LEFT - RIGHT - (edge.low ? 165 : 70);
    const title = clipped(this.model.title(edge), room, 12.5, 500);
    const after = textWidth(title, 12.5, 500) + 10;
    const words = edge.motionWords === null || room - after < 60 ? null : clipped(edge.motionWords, room - after, 11);
    const value = s("text", { class: "value", x: this.width - RIGHT, y: TOP + 9, "text-anchor": "end" });
    const cursor = s("line", { class: "cursor", y1: top - 4, y2: bottom });
    const dot = s("circle", { class: "dot", r: 3.6 });
    const group = s("g", {
      class: `row${chosen ? " chosen" : ""}`,
      transform: `translate(0 ${k * ROW})`,
      tabindex: 0,
      role: "button",
      "aria-pressed": chosen ? "true" : "false",
      "aria-label": this.model.title(edge),
      "data-edge": edge.index,
      click: (event) => this.click(edge, event as MouseEvent),
      keydown: (event) => {
        if ((event as KeyboardEvent).key === "Enter") this.choose(edge);
      },
      mousemove: (event) => {
        this.store.set({ hoverEdge: edge.index });
        tooltip(event as MouseEvent, this.model.title(edge), edgeRows(this.model, edge, this.frameAt(event as MouseEvent)));
      },
      mouseleave: () => {
        this.store.set({ hoverEdge: null });
        hideTooltip();
      },
    },
      s("rect", { class: "ground", x: 2, y: 1, width: this.width - 4, height: ROW - 2, rx: 6 }),
      s("text", { class: "name", x: LEFT, y: TOP + 9 }, title),
      words !== null && s("text", { class: "words", x: LEFT + after, y: TOP + 9 }, words),
      value,
      s("line", { class: "zero", x1: LEFT, x2: this.width - RIGHT, y1: y(0), y2: y(0) }),
      s("text", { class: "tick", x: LEFT - 5, y: y(high) + 4, "text-anchor": "end" }, show(high)),
      low < 0 && y(low) - y(high) > 14 && s("text", { class: "tick", x: LEFT - 5, y: y(low) + 3, "text-anchor": "end" }, show(low)),
      ...edge.changes.map(({ within }) => within !== null && s("rect", { class: "within", x: this.x(within[0]), width: Math.max(1, this.x(within[1]) - this.x(within[0])), y: top, height: bottom - top })),
      edge.whole && s("path", { class: "whole", d: this.band(edge.whole.low, edge.whole.high, y) }),
      edge.low && edge.high && s("path", { class: "band", d: this.band(edge.low, edge.high, y) }),
      edge.truth && s("path", { class: "truth", d: this.line(edge.truth, y, () => true) }),
      s("path", { class: "positive", d: this.line(edge.weight, y, (w) => w >= 0) }),
      s("path", { class: "negative", d: this.line(edge.weight, y, (w) => w < 0) }),
      ...edge.changes.map((change) => this.mark(change, top, bottom)),
      cursor,
      dot,
    );
    return { edge, group, cursor, dot, value, y };
  }

  /** A line over the frames where it holds; a piece runs on to the next point, so that pieces join. */
  private line(curve: Float32Array, y: (w: number) => number, holds: (w: number) => boolean): string {
    let path = "";
    let open = false;
    for (let k = 0; k < curve.length; k++) {
      const here = curve[k]!;
      if (Number.isNaN(here)) {
        open = false;
        continue;
      }
      const before = curve[k - 1];
      if (holds(here)) {
        const joined = before !== undefined && !Number.isNaN(before);
        if (!open && joined) path += this.crossing(k, before, here, y, "M");
        path += `${joined ? "L" : "M"}${this.x(k).toFixed(1)} ${y(here).toFixed(1)}`;
        const alone = !joined && Number.isNaN(curve[k + 1] ?? NaN);
        if (alone) path += "h0.1";
        open = true;
      } else {
        if (open && before !== undefined) path += this.crossing(k, before, here, y, "L");
        open = false;
      }
    }
    return path;
  }

  private crossing(k: number, before: number, here: number, y: (w: number) => number, command: "M" | "L"): string {
    const share = before === here ? 0 : before / (before - here);
    return `${command}${this.x(k - 1 + Math.min(1, Math.max(0, share))).toFixed(1)} ${y(0).toFixed(1)}`;
  }

  private band(low: Float32Array, high: Float32Array, y: (w: number) => number): string {
    let path = "";
    for (let start = 0; start < low.length; start++) {
      if (Number.isNaN(low[start]! + high[start]!)) continue;
      let end = start;
      while (end + 1 < low.length && !Number.isNaN(low[end + 1]! + high[end + 1]!)) end++;
      const there: string[] = [];
      const back: string[] = [];
      for (let k = start; k <= end; k++) {
        there.push(`${this.x(k).toFixed(1)} ${y(high[k]!).toFixed(1)}`);
        back.unshift(`${this.x(k).toFixed(1)} ${y(low[k]!).toFixed(1)}`);
      }
      path += `M${there.join("L")}L${back.join("L")}Z`;
      start = end;
    }
    return path;
  }

  private mark({ frame, kind, within }: Change, top: number, bottom: number): SVGGElement {
    const x = this.x(frame);
    const range = within === null || within[0] === within[1] ? "" : ` (${this.model.label(within[0])} to ${this.model.label(within[1])})`;
    const says: Record<string, string> = { appears: "appears", goes: "goes", turns: "changes sign", jumps: "jumps" };
    const shapes: Record<string, string> = {
      appears: `M${x - 4} ${top - 1}h8l-4 -6z`,
      goes: `M${x - 4} ${top - 7}h8l-4 6z`,
      turns: `M${x} ${top - 8}l4 4l-4 4l-4 -4z`,
      jumps: `M${x - 3} ${top - 7}h6v6h-6z`,
    };
    return s("g", { class: "change" },
      s("title", {}, `${says[kind]} at ${this.model.label(frame)}${range}`),
      s("line", { x1: x, x2: x, y1: top, y2: bottom }),
      s("path", { d: shapes[kind] ?? "" }));
  }

  private axis(y: number): SVGGElement {
    const last = this.model.frames - 1;
    const count = this.model.text.labels ? 3 : 5;
    const marks = [...new Set(Array.from({ length: count }, (_, k) => Math.round((k * last) / (count - 1))))];
    return s("g", { class: "axis" }, ...marks.map((frame) =>
      s("text", { x: this.x(frame), y: y + 12, "text-anchor": frame === 0 ? "start" : frame === last ? "end" : "middle" }, this.model.label(frame))));
  }

  private moveCursor(): void {
    const { frame } = this.store.state;
    const x = this.x(frame).toFixed(1);
    for (const row of this.rows) {
      const weight = between(row.edge.weight, frame);
      const there = !Number.isNaN(weight);
      set(row.cursor, "x1", x);
      set(row.cursor, "x2", x);
      set(row.dot, "display", there ? null : "none");
      set(row.dot, "cx", x);
      set(row.dot, "cy", there ? row.y(weight).toFixed(1) : 0);
      set(row.dot, "class", `dot ${weight >= 0 ? "positive" : "negative"}`);
      const bounds = row.edge.low && row.edge.high ? ` [${show(between(row.edge.low, frame))}, ${show(between(row.edge.high, frame))}]` : "";
      row.value.textContent = there ? show(weight) + bounds : "not there";
    }
  }

  private light(state: State): void {
    for (const row of this.rows) {
      const { from, to, index } = row.edge;
      const on = state.hoverEdge === index || (state.hoverVariable !== null && (from === state.hoverVariable || to === state.hoverVariable));
      row.group.classList.toggle("lit", on);
    }
  }

  private frameAt(event: MouseEvent): number {
    const { left } = this.svg.getBoundingClientRect();
    const share = (event.clientX - left - LEFT) / Math.max(1, this.width - LEFT - RIGHT);
    return Math.round(Math.min(1, Math.max(0, share)) * (this.model.frames - 1));
  }

  /** In the chart: go to that time too; on the name: only choose. */
  private click(edge: Edge, event: MouseEvent): void {
    const { top } = this.svg.getBoundingClientRect();
    const inChart = (event.clientY - top) % ROW > 24;
    if (inChart) this.store.set({ edge: edge.index, frame: this.frameAt(event), playing: false });
    else this.choose(edge);
  }

  private choose(edge: Edge): void {
    this.store.set({ edge: this.store.state.edge === edge.index ? null : edge.index });
  }
}
