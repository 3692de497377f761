// All edges in words and numbers: what the pictures show, for readers and screen readers.
import { h } from "./dom";
import { strongest, type Edge, type Model } from "./model";
import { chance, show } from "./numbers";
import { FILTERS, type Store } from "./state";
import { GIVEN, presence } from "./tooltip";

const ROWS = 15;

export function edgeList(model: Model, store: Store): HTMLElement {
  const body = h("tbody");
  let most = ROWS;
  const more = h("button", { type: "button", class: "more", click: () => { most += 100; render(); } });
  const moves = model.edges.some((edge) => edge.motionWords !== null);
  const given = model.edges.some((edge) => edge.given !== "nothing");
  const compared = model.edges.some((edge) => edge.foundBy !== null);
  const head = ["cause", "effect", "lag", "first", "middle", "last", "strongest", "in sd", "there", "no edge, q", "unchanging, q", ...(moves ? ["motion"] : []), ...(given ? ["known before"] : []), ...(compared ? ["found by"] : [])];
  const also = { moves, given, compared };
  const render = () => {
    // The best supported first, whatever the order of the curves.
    const list = store.list("q");
    body.replaceChildren(...list.slice(0, most).map((edge) => row(model, store, edge, also)));
    more.hidden = list.length <= most;
    more.textContent = `Show more (${list.length - most} left)`;
  };
  store.subscribe((_, changed) => {
    if (([...FILTERS, "variable", "edge"] as const).some((name) => changed.has(name))) render();
  });
  render();
  return h("div", {},
    h("div", { class: "scroll" }, h("table", { class: "edges-table" }, h("thead", {}, h("tr", {}, ...head.map((text) => h("th", { scope: "col" }, text)))), body)), more);
}

/** Columns that not every table has. */
interface Also {
  moves: boolean;
  given: boolean;
  compared: boolean;
}

function row(model: Model, store: Store, edge: Edge, { moves, given, compared }: Also): HTMLElement {
  const at = (frame: number) => show(edge.weight[frame]);
  const most = model.inData(edge, strongest(edge.weight));
  const last = model.frames - 1;
  const chosen = store.state.edge === edge.index;
  return h("tr", { class: chosen ? "chosen" : null, click: () => store.set({ edge: chosen ? null : edge.index }) },
    h("th", { scope: "row", dir: "auto", title: model.name(edge.from) }, model.name(edge.from)),
    h("td", { class: "text", dir: "auto", title: model.name(edge.to) }, model.name(edge.to)),
    h("td", {}, String(edge.lag)), h("td", {}, at(0)), h("td", {}, at(Math.floor(last / 2))), h("td", {}, at(last)),
    h("td", {}, show(most)), h("td", {}, show(edge.standardised)),
    h("td", { class: "text", title: edge.there }, (edge.there ?? presence(model, edge)) + { directed: "", undirected: " (direction open)", conflict: " (direction in conflict)" }[edge.mark]),
    h("td", {}, chance(edge.q ?? edge.p)), h("td", {}, chance(edge.unchangingQ)), moves && h("td", { class: "text motion" }, edge.motionWords ?? "–"),
    given && h("td", { class: "text" }, GIVEN[edge.given] || "–"), compared && h("td", { class: "text motion" }, edge.foundBy ?? "–"));
}
