// What was done to columns before the graph was learned: each before and after.
import { h, s } from "./dom";
import type { Model } from "./model";
import { show } from "./numbers";
import type { RawSketch } from "./payload";

const WIDTH = 150;
const HEIGHT = 34;

/** One row per column that was prepared; nothing where none was. */
export function preparations(model: Model): HTMLElement | null {
  const { prepared } = model.text;
  const done = (prepared?.columns ?? []).map((column, k) => ({ ...column, k })).filter((column) => (column.done ?? []).length > 0);
  if (!prepared || done.length === 0) return null;
  const head = ["variable", "done, in order", "before", "mean, sd", "after", "mean, sd", "one unit is"];
  const figures = (sketch?: RawSketch) => (sketch ? `${show(sketch.mean)}, ${show(sketch.sd)}` : "–");
  const row = (column: (typeof done)[number]) => h("tr", {},
    h("th", { scope: "row", dir: "auto" }, model.name(column.k)),
    h("td", { class: "text motion", title: (column.done ?? []).join(", then ") }, (column.done ?? []).join(", then ")),
    h("td", {}, line(column.before)), h("td", {}, figures(column.before)),
    h("td", {}, line(column.after)), h("td", {}, figures(column.after)),
    h("td", { class: "text motion", title: column.meaning }, column.meaning ?? "that of the data"));
  const lost = prepared.lost > 0 ? ` The first ${prepared.lost === 1 ? "step is" : `${prepared.lost} steps are`} lost to differences.` : "";
  return h("div", {},
    h("h3", {}, "What was done to the columns first"),
    h("p", { class: "muted" }, `${prepared.steps.join(", ")}.${lost} The first series of each is drawn.`),
    h("div", { class: "scroll" }, h("table", { class: "prepared" }, h("thead", {}, h("tr", {}, ...head.map((text) => h("th", { scope: "col" }, text)))), h("tbody", {}, ...done.map(row)))));
}

/** The values of a sketch as a line; gaps stay gaps. */
function line(sketch?: RawSketch): SVGSVGElement | string {
  const known = (sketch?.values ?? []).filter((value) => value !== null);
  if (!sketch || known.length < 2) return "–";
  const low = Math.min(...known);
  const span = Math.max(...known) - low || 1;
  let path = "";
  let open = false;
  sketch.values.forEach((value, k) => {
    if (value === null) {
      open = false;
      return;
    }
    const x = (k / (sketch.values.length - 1)) * (WIDTH - 4) + 2;
    const y = HEIGHT - 3 - ((value - low) / span) * (HEIGHT - 6);
    path += `${open ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`;
    open = true;
  });
  return s("svg", { class: "spark", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT, role: "img", "aria-label": "values over time" }, s("path", { d: path }));
}
