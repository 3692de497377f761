// The data: one small picture per variable, thinned to what can be seen.
import { clipped, s, set } from "./dom";
import type { Model } from "./model";
import { show } from "./numbers";
import type { State, Store } from "./state";

const HEIGHT = 84;
const TOP = 22;
const BOTTOM = 66;

export class SeriesView {
  readonly svg = s("svg", { class: "series", role: "group", "aria-label": "The series of each variable" });
  private width = 0;
  private most = 24;
  private cursors: { line: SVGLineElement; left: number; width: number }[] = [];

  constructor(
    private readonly model: Model,
    private readonly store: Store,
    private readonly told: (shown: number, all: number) => void,
  ) {
    store.subscribe((state, changed) => {
      if (changed.has("variable")) this.draw();
      else if (changed.has("frame")) this.moveCursor(state);
    });
  }

  start(): void {
    new ResizeObserver(() => {
      if (Math.abs(this.svg.clientWidth - this.width) > 1) this.draw();
    }).observe(this.svg);
    this.draw();
  }

  more(): void {
    this.most += 72;
    this.draw();
  }

  /** The chosen variable and its neighbours come first. */
  private order(): number[] {
    const { variable } = this.store.state;
    const all = this.model.names.map((_, k) => k);
    if (variable === null) return all;
    const near = new Set([variable, ...this.model.parents[variable]!.map((e) => e.from), ...this.model.children[variable]!.map((e) => e.to)]);
    return [...near, ...all.filter((k) => !near.has(k))];
  }

  private draw(): void {
    this.width = this.svg.clientWidth || 600;
    const columns = Math.max(1, Math.floor(this.width / 230));
    const cell = this.width / columns;
    const shown = this.order().slice(0, this.most);
    const height = Math.ceil(shown.length / columns) * HEIGHT;
    set(this.svg, "viewBox", `0 0 ${this.width} ${height}`);
    set(this.svg, "height", height);
    this.cursors = [];
    this.svg.replaceChildren(...shown.map((variable, k) => this.picture(variable, (k % columns) * cell, Math.floor(k / columns) * HEIGHT, cell)));
    this.told(shown.length, this.model.names.length);
    this.moveCursor(this.store.state);
  }

  private picture(variable: number, x: number, y: number, width: number): SVGGElement {
    const about = this.model.text.series!;
    const { low, high, missing, filled } = about.variables[variable]!;
    const [least, mean, most, first, gaps, fills] = this.model.series[variable]!;
    const left = 6;
    const inner = width - 22;
    const at = (k: number) => left + ((about.buckets[k]! + 0.5) / about.steps) * inner;
    const level = (code: number) => BOTTOM - (code / 254) * (BOTTOM - TOP);
    const line = s("line", { class: "cursor", y1: TOP, y2: BOTTOM });
    this.cursors.push({ line, left, width: inner });
    const chosen = this.store.state.variable === variable;
    const share = (cells: number) => `${((100 * cells) / (about.series * about.steps)).toPrecision(2)} %`;
    const lost = [filled > 0 && `${share(filled)} filled`, missing > filled && `${share(missing - filled)} missing`].filter(Boolean).join(", ");
    const marks = (kind: string, shares: Uint8Array) => Array.from(shares.keys()).filter((k) => shares[k]! > 0).map((k) =>
      s("rect", { class: kind, x: at(k) - inner / shares.length / 2, y: BOTTOM + 2, width: Math.max(1, inner / shares.length), height: 3, opacity: 0.25 + 0.75 * (shares[k]! / 255) }));
    return s("g", {
      class: `picture${chosen ? " chosen" : ""}`,
      transform: `translate(${x} ${y})`,
      tabindex: 0,
      role: "button",
      "aria-label": this.model.name(variable),
      click: () => this.store.set({ variable: chosen ? null : variable, edge: null }),
      keydown: (event) => {
        if ((event as KeyboardEvent).key === "Enter") this.store.set({ variable: chosen ? null : variable, edge: null });
      },
    },
      s("rect", { class: "ground", x: 1, y: 1, width: width - 8, height: HEIGHT - 6, rx: 6 }),
      s("text", { class: "name", x: left, y: 14 }, clipped(this.model.name(variable), inner - (lost ? 6 * lost.length : 4), 12, 500)),
      lost && s("text", { class: "lost", x: left + inner, y: 14, "text-anchor": "end" }, lost),
      s("path", { class: "band", d: ribbon(least!, most!, at, level) }),
      about.series > 1 && s("path", { class: "one", d: trace(first!, at, level) }),
      s("path", { class: "mean", d: trace(mean!, at, level) }),
      ...marks("fill", fills!),
      ...marks("gap", gaps!),
      s("text", { class: "tick", x: left, y: HEIGHT - 9 }, `${show(low)} to ${show(high)}`),
      line);
  }

  private moveCursor(state: State): void {
    const frames = this.model.text.frames;
    const step = frames[Math.round(state.frame)]! + 0.5;
    for (const { line, left, width } of this.cursors) {
      const x = (left + (step / this.model.text.steps) * width).toFixed(1);
      set(line, "x1", x);
      set(line, "x2", x);
    }
  }
}

/** A line through the codes; 255 breaks it. */
function trace(codes: Uint8Array, at: (k: number) => number, level: (code: number) => number): string {
  let path = "";
  let open = false;
  codes.forEach((code, k) => {
    if (code === 255) {
      open = false;
      return;
    }
    path += `${open ? "L" : "M"}${at(k).toFixed(1)} ${level(code).toFixed(1)}`;
    open = true;
  });
  return path;
}

function ribbon(low: Uint8Array, high: Uint8Array, at: (k: number) => number, level: (code: number) => number): string {
  let path = "";
  for (let start = 0; start < low.length; start++) {
    if (low[start] === 255) continue;
    let end = start;
    while (end + 1 < low.length && low[end + 1] !== 255) end++;
    const there: string[] = [];
    const back: string[] = [];
    for (let k = start; k <= end; k++) {
      there.push(`${at(k).toFixed(1)} ${level(high[k]!).toFixed(1)}`);
      back.unshift(`${at(k).toFixed(1)} ${level(low[k]!).toFixed(1)}`);
    }
    path += `M${there.join("L")}L${back.join("L")}Z`;
    start = end;
  }
  return path;
}
