// What values of a cause do to its effect, where that is no straight line: one small picture per edge.
import { clipped, s, set } from "./dom";
import type { Edge, Model } from "./model";
import { show } from "./numbers";
import { FILTERS, type State, type Store } from "./state";
import { edgeRows, hideTooltip, tooltip } from "./tooltip";

const WIDTH = 220;
const HEIGHT = 150;
const LEFT = 40;
const TOP = 26;
const BOTTOM = 24;
const RIGHT = 8;

interface Picture {
  edge: Edge;
  group: SVGGElement;
  now: SVGPathElement;
  band: SVGPathElement;
  x: (value: number) => number;
  y: (effect: number) => number;
}

interface Curve {
  effect: number[];
  low: number[];
  high: number[];
}

export class EffectsView {
  readonly svg = s("svg", { class: "effects", role: "group", "aria-label": "Effects of causes" });
  private pictures: Picture[] = [];
  private width = 800;
  private most = 12;

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
    if (([...FILTERS, "variable", "sort", "edge"] as const).some((name) => changed.has(name))) this.draw();
    else if (changed.has("frame")) this.move(state.frame);
    if (changed.has("hoverEdge")) for (const { edge, group } of this.pictures) group.classList.toggle("lit", state.hoverEdge === edge.index);
  }

  private draw(): void {
    this.width = this.svg.clientWidth || 800;
    const list = this.store.list().filter((edge) => edge.effect !== null);
    const chosen = this.store.state.edge === null ? undefined : this.model.edges[this.store.state.edge];
    const shown = list.slice(0, this.most);
    if (chosen?.effect && !shown.includes(chosen)) shown.unshift(chosen);
    const across = Math.max(1, Math.floor(this.width / WIDTH));
    const wide = this.width / across;
    const height = Math.ceil(shown.length / across) * HEIGHT;
    set(this.svg, "viewBox", `0 0 ${this.width} ${height}`);
    set(this.svg, "height", height);
    this.pictures = shown.map((edge, k) => this.picture(edge, (k % across) * wide, Math.floor(k / across) * HEIGHT, wide));
    this.svg.replaceChildren(...this.pictures.map(({ group }) => group));
    this.told(shown.length, list.length);
    this.move(this.store.state.frame);
  }

  private picture(edge: Edge, left: number, top: number, wide: number): Picture {
    const { at, curves } = edge.effect!;
    const every = curves.flatMap(({ low, high }) => [...low, ...high]);
    const [least, most] = [Math.min(0, ...every), Math.max(0, ...every)];
    const [first, last] = [at[0]!, at.at(-1)!];
    const right = wide - RIGHT - 8;
    const x = (value: number) => LEFT + ((value - first) / (last - first || 1)) * (right - LEFT);
    const y = (effect: number) => HEIGHT - BOTTOM - ((effect - least) / (most - least || 1)) * (HEIGHT - BOTTOM - TOP);
    const now = s("path", { class: "mean" });
    const band = s("path", { class: "band" });
    const chosen = this.store.state.edge === edge.index;
    const choose = () => this.store.set({ edge: chosen ? null : edge.index });
    const group = s("g", {
      class: `effect picture${chosen ? " chosen" : ""}`, transform: `translate(${left.toFixed(1)} ${top})`, tabindex: 0, role: "button",
      "aria-pressed": chosen ? "true" : "false", "aria-label": this.model.title(edge), "data-edge": edge.index,
      click: choose,
      keydown: (event) => {
        if ((event as KeyboardEvent).key === "Enter") choose();
      },
      mousemove: (event) => {
        this.store.set({ hoverEdge: edge.index });
        tooltip(event as MouseEvent, this.model.title(edge), edgeRows(this.model, edge, this.store.state.frame));
      },
      mouseleave: () => {
        this.store.set({ hoverEdge: null });
        hideTooltip();
      },
    },
      s("rect", { class: "ground", x: 2, y: 1, width: wide - 6, height: HEIGHT - 4, rx: 6 }),
      s("text", { class: "name", x: 8, y: 15 }, clipped(this.model.title(edge), wide - 20, 12, 500)),
      s("line", { class: "zero", x1: LEFT, x2: right, y1: y(0), y2: y(0) }),
      s("text", { class: "tick", x: LEFT - 5, y: TOP + 5, "text-anchor": "end" }, show(most)),
      s("text", { class: "tick", x: LEFT - 5, y: HEIGHT - BOTTOM + 2, "text-anchor": "end" }, show(least)),
      s("text", { class: "tick", x: LEFT, y: HEIGHT - 9, "text-anchor": "start" }, show(first)),
      s("text", { class: "tick", x: right, y: HEIGHT - 9, "text-anchor": "end" }, show(last)),
      s("text", { class: "tick", x: (LEFT + right) / 2, y: HEIGHT - 9, "text-anchor": "middle" }, clipped(this.model.name(edge.from), (right - LEFT) / 3, 11)),
      ...(curves.length > 1 ? curves.map(({ effect }) => s("path", { class: "other", d: line(at, effect, x, y) })) : []),
      band, now);
    return { edge, group, now, band, x, y };
  }

  /** The curve at the time that is shown, between those that are known. */
  private move(frame: number): void {
    const step = this.model.text.frames[Math.round(frame)] ?? 0;
    for (const { edge, now, band, x, y } of this.pictures) {
      const { at } = edge.effect!;
      const curve = this.at(edge, step);
      set(now, "d", line(at, curve.effect, x, y));
      const back = at.map((value, k) => `${x(value).toFixed(1)} ${y(curve.low[k]!).toFixed(1)}`).reverse();
      set(band, "d", `${line(at, curve.high, x, y)}L${back.join("L")}Z`);
    }
  }

  private at(edge: Edge, step: number): Curve {
    const { curves } = edge.effect!;
    const after = curves.findIndex((curve) => curve.step > step);
    if (after <= 0) return curves[after === 0 ? 0 : curves.length - 1]!;
    const [a, b] = [curves[after - 1]!, curves[after]!];
    const share = (step - a.step) / (b.step - a.step);
    const mix = (from: number[], to: number[]) => from.map((value, k) => value * (1 - share) + to[k]! * share);
    return { effect: mix(a.effect, b.effect), low: mix(a.low, b.low), high: mix(a.high, b.high) };
  }
}

function line(at: number[], effect: number[], x: (value: number) => number, y: (effect: number) => number): string {
  return `M${at.map((value, k) => `${x(value).toFixed(1)} ${y(effect[k]!).toFixed(1)}`).join("L")}`;
}
