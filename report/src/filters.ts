// Lag, strength, q-value, change, motion and the search for a variable.
import { h, set } from "./dom";
import type { Model } from "./model";
import { count, show } from "./numbers";
import { FILTERS, type State, type Store } from "./state";

const FOUND = 8;
/** The slider of q-values goes down to 10 to the minus this. */
const DECADES = 6;

export function filters(model: Model, store: Store): HTMLElement {
  const lags = h("div", { class: "chips", role: "group", "aria-label": "Lags" }, ...Array.from({ length: model.text.lag + 1 }, (_, lag) =>
    h("button", {
      type: "button",
      "data-lag": lag,
      click: () => {
        const next = new Set(store.state.lags);
        if (!next.delete(lag)) next.add(lag);
        store.set({ lags: next });
      },
    }, lag === 0 ? "same step" : `lag ${lag}`)));
  const slider = h("input", { type: "range", min: 0, max: 1000, step: 1, "aria-label": "Weakest weight shown", id: "least" });
  const least = h("output", { class: "number" });
  // Squares: weak edges are many, and should not all go at the first touch.
  slider.addEventListener("input", () => store.set({ least: Number((model.strongest * (Number(slider.value) / 1000) ** 2).toPrecision(2)) }));
  const chances = h("input", { type: "range", min: 0, max: 1000, step: 1, "aria-label": "Largest q-value shown", id: "q" });
  const most = h("output", { class: "number" });
  // Powers of ten: what matters lies far below 1.
  chances.addEventListener("input", () => store.set({ q: Number((10 ** (DECADES * (Number(chances.value) / 1000 - 1))).toPrecision(2)) }));
  const changing = h("input", { type: "checkbox", id: "changing", change: () => store.set({ changing: changing.checked }) });
  const motions = motionChoice(model, store);
  const units = h("input", { type: "checkbox", id: "units", change: () => store.set({ units: units.checked ? "data" : "sd" }) });
  const note = h("p", { class: "note", role: "status" });
  const render = (state: State) => {
    for (const chip of lags.children) set(chip, "aria-pressed", state.lags.has(Number(chip.getAttribute("data-lag"))) ? "true" : "false");
    slider.value = String(Math.round(1000 * Math.sqrt(state.least / model.strongest)));
    least.textContent = `≥ ${show(state.least)}${state.units === "sd" ? " sd" : ""}`;
    units.checked = state.units === "data";
    chances.value = String(Math.round(1000 * (1 + Math.log10(state.q) / DECADES)));
    most.textContent = state.q >= 1 ? "all" : `≤ ${show(state.q)}`;
    changing.checked = state.changing;
    motions.value = state.motion ?? "";
    const shown = model.edges.filter((edge) => store.passes(edge)).length;
    const all = model.edges.length;
    note.replaceChildren();
    if (shown < all) {
      const reset = () => store.set({ lags: new Set(Array.from({ length: model.text.lag + 1 }, (_, k) => k)), least: 0, q: 1, changing: false, motion: null });
      note.append(state.least === store.uncrowded && state.q >= 1 && !state.changing && state.motion === null && state.lags.size === model.text.lag + 1
        ? `The ${shown} strongest of ${all} edges. ` : `${shown} of ${all} edges. `, h("button", { type: "button", class: "plain", click: reset }, "Show all"));
    }
  };
  store.subscribe((state, changed) => {
    if (([...FILTERS, "variable"] as const).some((name) => changed.has(name))) render(state);
  });
  render(store.state);
  return h("div", { class: "filters" },
    search(model, store),
    model.text.lag > 0 && lags,
    h("label", { class: "strength" }, "strength", slider, least),
    model.edges.some((edge) => edge.q !== null) && h("label", { class: "strength", title: "The share of false edges to expect among those shown, at most" }, "q at most", chances, most),
    h("label", { class: "check" }, changing, "only changing"),
    model.scaled && h("label", { class: "check", title: "Weights as the data have them; otherwise in standard deviations of the effect per standard deviation of the cause, so that edges of different units can be compared" }, units, "data units"),
    motions.options.length > 2 && motions,
    note);
}

/** The motions that edges have, with how many have each. */
function motionChoice(model: Model, store: Store): HTMLSelectElement {
  const counts = new Map<string, number>();
  for (const { motion } of model.edges) if (motion !== null) counts.set(motion, (counts.get(motion) ?? 0) + 1);
  const kinds = [...counts].sort((a, b) => b[1] - a[1]);
  const select = h("select", { id: "motion", "aria-label": "Motion", title: "Only edges that move like this", change: () => store.set({ motion: select.value || null }) },
    h("option", { value: "" }, "any motion"), ...kinds.map(([kind, number]) => h("option", { value: kind }, `${kind.replaceAll("_", " ")} (${number})`)));
  return select;
}

function search(model: Model, store: Store): HTMLElement {
  const input = h("input", { type: "search", id: "search", placeholder: "Find a variable  /", "aria-label": "Find a variable", autocomplete: "off", role: "combobox", "aria-expanded": "false", "aria-controls": "found" });
  const list = h("ul", { id: "found", role: "listbox", class: "found", hidden: true });
  const close = () => {
    list.hidden = true;
    set(input, "aria-expanded", "false");
  };
  const choose = (variable: number) => {
    store.set({ variable, edge: null, focus: model.names.length > 30 || store.state.focus });
    input.value = "";
    close();
  };
  const matches = () => {
    const text = input.value.trim().toLocaleLowerCase();
    if (text === "") return [];
    const at = model.names.map((_, k) => ({ k, place: model.name(k).toLocaleLowerCase().indexOf(text) }));
    return at.filter(({ place }) => place >= 0).sort((a, b) => a.place - b.place || a.k - b.k).map(({ k }) => k);
  };
  input.addEventListener("input", () => {
    const found = matches();
    list.replaceChildren(...found.slice(0, FOUND).map((k) =>
      h("li", { role: "option", "data-variable": k, dir: "auto", mousedown: (event) => { event.preventDefault(); choose(k); } }, model.name(k))));
    if (found.length > FOUND) list.append(h("li", { class: "muted", "aria-disabled": "true" }, `and ${found.length - FOUND} more`));
    if (found.length === 0 && input.value.trim() !== "") list.append(h("li", { class: "muted" }, "No such variable"));
    list.hidden = list.childElementCount === 0;
    set(input, "aria-expanded", list.hidden ? "false" : "true");
  });
  input.addEventListener("keydown", (event) => {
    const [first] = matches();
    if (event.key === "Enter" && first !== undefined) choose(first);
    if (event.key === "Escape") {
      input.value = "";
      close();
      input.blur();
    }
  });
  input.addEventListener("blur", close);
  return h("div", { class: "search" }, input, list);
}

/** What is chosen, and how to let go of it. */
export function choice(model: Model, store: Store): HTMLElement {
  const bar = h("div", { class: "choice", role: "status" });
  const render = (state: State) => {
    const parts: HTMLElement[] = [];
    if (state.variable !== null) {
      const { variable } = state;
      const causes = new Set(model.parents[variable]!.map((e) => e.from)).size;
      const effects = new Set(model.children[variable]!.map((e) => e.to)).size;
      parts.push(h("bdi", { class: "who" }, model.name(variable)), h("span", { class: "muted" }, `${count(causes, "cause")}, ${count(effects, "effect")}`),
        h("button", { type: "button", class: "focus", "aria-pressed": state.focus ? "true" : "false", click: () => store.set({ focus: !store.state.focus }) }, state.focus ? "Show all variables" : "Only its neighbourhood"));
    } else if (state.edge !== null) {
      const edge = model.edges[state.edge]!;
      parts.push(h("bdi", { class: "who" }, model.title(edge)));
      if (edge.motionWords !== null) parts.push(h("span", { class: "muted" }, edge.motionWords));
    }
    if (parts.length > 0) parts.push(h("button", { type: "button", class: "plain", "aria-label": "Let go", click: () => store.set({ variable: null, edge: null, focus: false }) }, "✕"));
    bar.replaceChildren(...parts);
    bar.hidden = parts.length === 0;
  };
  store.subscribe((state, changed) => {
    if (changed.has("variable") || changed.has("edge") || changed.has("focus")) render(state);
  });
  render(store.state);
  return bar;
}
