// How to read the graph.
import { h, s } from "./dom";
import type { Model } from "./model";

export function legend(model: Model): HTMLElement {
  const sample = (kind: string, text: string) => h("span", { class: "key" },
    s("svg", { viewBox: "0 0 30 10", width: 30, height: 10, class: `sample ${kind}`, "aria-hidden": "true" }, s("line", { x1: 1, x2: 29, y1: 5, y2: 5 })), text);
  return h("div", { class: "legend" },
    sample("positive", "raises"),
    sample("negative", "lowers"),
    sample("same", "same step"),
    model.text.lag > 0 && sample("later", model.text.lag === 1 ? "one step later" : "later, with its lag"),
    model.edges.some((edge) => edge.mark !== "directed") && h("span", { class: "key" }, "no arrow: direction open"),
    model.edges.some((edge) => edge.given === "edge") && sample("given", "required beforehand"),
    h("span", { class: "key" }, model.scaled ? "width: strength (sd, or data units)" : "width: strength"));
}
