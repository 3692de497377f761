// The slider, the play button, and when something happens.
import { h, s, set } from "./dom";
import type { Model } from "./model";
import type { State, Store } from "./state";

/** A whole run plays in about this long, but no step takes longer than half a second. */
const SECONDS = 12;

export class TimeBar {
  readonly element: HTMLElement;
  private readonly play = h("button", { type: "button", class: "play", "aria-label": "Play" });
  private readonly slider: HTMLInputElement;
  private readonly label = h("output", { class: "now" });
  private readonly speed: HTMLSelectElement;
  private last = 0;

  constructor(
    private readonly model: Model,
    private readonly store: Store,
  ) {
    const most = model.frames - 1;
    this.slider = h("input", { type: "range", min: 0, max: most, step: 1, "aria-label": "Time", id: "time" });
    this.slider.addEventListener("input", () => store.set({ frame: Number(this.slider.value), playing: false }));
    this.play.addEventListener("click", () => this.toggle());
    this.speed = h("select", { "aria-label": "Speed", title: "Speed" }, ...[0.5, 1, 2, 4].map((k) => h("option", { value: k, selected: k === 1 }, `${k}×`)));
    let activity = this.activity();
    this.element = h("div", { class: "timebar", role: "group", "aria-label": "Time" },
      this.play,
      h("div", { class: "track" }, activity, this.slider),
      this.label,
      this.speed);
    store.subscribe((state, changed) => {
      if (changed.has("frame") || changed.has("playing")) this.show(state);
      if (changed.has("playing") && state.playing) this.begin();
      if (changed.has("units")) {
        const next = this.activity();
        activity.replaceWith(next);
        activity = next;
      }
    });
    this.show(store.state);
  }

  toggle(): void {
    const { playing, frame } = this.store.state;
    const end = this.model.frames - 1;
    if (playing) this.store.set({ playing: false, frame: Math.round(frame) });
    else this.store.set({ playing: true, frame: frame >= end ? 0 : frame });
  }

  private begin(): void {
    this.last = performance.now();
    requestAnimationFrame((now) => this.tick(now));
  }

  private tick(now: number): void {
    const { playing, frame } = this.store.state;
    if (!playing) return;
    const end = this.model.frames - 1;
    const rate = Math.max(2, end / SECONDS) * Number(this.speed.value);
    const next = frame + (Math.min(250, Math.max(0, now - this.last)) / 1000) * rate;
    this.last = now;
    if (next >= end) this.store.set({ frame: end, playing: false });
    else {
      this.store.set({ frame: next });
      requestAnimationFrame((later) => this.tick(later));
    }
  }

  private show(state: State): void {
    this.slider.value = String(Math.round(state.frame));
    const word = this.model.text.labels ? "" : "step ";
    const total = this.model.text.labels ? "" : ` of ${this.model.text.steps}`;
    this.label.textContent = `${word}${this.model.label(state.frame)}${total}`;
    set(this.slider, "aria-valuetext", this.label.textContent);
    this.play.textContent = state.playing ? "❚❚" : "▶";
    set(this.play, "aria-label", state.playing ? "Pause" : "Play");
  }

  /** How many edges are there at each time, and when any of them changes abruptly. */
  private activity(): SVGSVGElement {
    const { frames, edges } = this.model;
    const present = new Float64Array(frames);
    const events = new Float64Array(frames);
    for (const edge of edges) {
      edge.weight.forEach((weight, k) => {
        if (!Number.isNaN(weight)) present[k]! += Math.abs(weight);
      });
      for (const { frame } of edge.changes) events[frame]! += 1;
    }
    const most = Math.max(1e-12, ...present);
    const x = (k: number) => (k / Math.max(1, frames - 1)) * 1000;
    let path = "M0 30";
    present.forEach((value, k) => (path += `L${x(k).toFixed(1)} ${(30 - (value / most) * 26).toFixed(1)}`));
    const busiest = Math.max(1, ...events);
    const marks = [...events.keys()].filter((k) => events[k]! > 0);
    const regimes = this.model.regimes.map(({ frame, within: [low, high], words }) => s("g", { class: "regime" },
      s("title", {}, `regime changes at ${words}`),
      s("rect", { x: x(low) - 2, width: x(high) - x(low) + 4, y: 0, height: 30 }),
      s("line", { x1: x(frame), x2: x(frame), y1: 0, y2: 30 })));
    return s("svg", { class: "activity", viewBox: "0 0 1000 30", preserveAspectRatio: "none", "aria-hidden": "true" },
      s("path", { d: `${path}L1000 30Z` }),
      ...marks.map((k) => s("line", { x1: x(k), x2: x(k), y1: 30, y2: 30 - 6 - 14 * (events[k]! / busiest) })),
      ...regimes);
  }
}
