// The view as it stands, as a file.
import { s, set } from "./dom";
import type { Edge, Model } from "./model";
import { between, strongest } from "./model";
import type { Store } from "./state";
import { presence } from "./tooltip";

/** What makes a drawing look as it does, to be written into a file that has no style sheet. */
const LOOKS = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "opacity", "font-size", "font-weight", "font-family", "paint-order", "text-anchor"];

/** A drawing that stands alone: looks inlined, what is hidden left out, on the page's ground. */
export function standalone(svg: SVGSVGElement, title: string): SVGSVGElement {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  inline(svg, copy);
  copy.querySelectorAll(".hit, .over, [display=none]").forEach((element) => element.remove());
  const [, , width, height] = (svg.getAttribute("viewBox") ?? "0 0 800 600").split(" ").map(Number);
  set(copy, "xmlns", "http://www.w3.org/2000/svg");
  set(copy, "width", width);
  set(copy, "height", height);
  for (const name of ["class", "style", "tabindex", "role", "aria-label"]) copy.removeAttribute(name);
  copy.prepend(s("title", {}, title), s("rect", { width, height, fill: getComputedStyle(svg.closest(".card") ?? document.body).backgroundColor }));
  return copy;
}

function inline(from: Element, to: Element): void {
  const style = getComputedStyle(from);
  if (style.display === "none") set(to, "display", "none");
  for (const name of LOOKS) {
    const value = style.getPropertyValue(name);
    if (value) set(to, name, value);
  }
  for (const name of [...to.getAttributeNames()]) if (name === "class" || name === "tabindex" || name.startsWith("data-") || name.startsWith("aria-") || name === "role") to.removeAttribute(name);
  for (let k = 0; k < from.children.length; k++) inline(from.children[k]!, to.children[k]!);
}

export function svgText(svg: SVGSVGElement, title: string): string {
  const text = new XMLSerializer().serializeToString(standalone(svg, title));
  // Characters that XML does not have at all, whatever a name may hold.
  return '<?xml version="1.0" encoding="UTF-8"?>\n' + text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd");
}

export function saveSvg(svg: SVGSVGElement, name: string, title: string): void {
  save(new Blob([svgText(svg, title)], { type: "image/svg+xml" }), `${name}.svg`);
}

/** Twice as large as on screen, for slides. */
export async function savePng(svg: SVGSVGElement, name: string, title: string): Promise<void> {
  const picture = new Image();
  const text = svgText(svg, title);
  await new Promise<void>((loaded, failed) => {
    picture.onload = () => loaded();
    picture.onerror = () => failed(new Error("the drawing could not be read back"));
    picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  });
  const canvas = document.createElement("canvas");
  const scale = Math.min(2, 8000 / Math.max(picture.width, picture.height, 1));
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((made) => canvas.toBlob(made, "image/png"));
  if (blob) save(blob, `${name}.png`);
}

function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** A name that a spreadsheet does not take for a formula: an apostrophe says that it is text. */
function harmless(name: string): string {
  return /^[=+\-@\t\r]/.test(name) ? `'${name}` : name;
}

/** One row per edge that passes the filters: its weight at the time shown, and the columns that the library gives. */
export function edgeTable(model: Model, store: Store): string {
  const { frame } = store.state;
  const { columns } = model.text;
  const view = [`weight at ${model.label(frame)}`, "low", "high", "first weight", "middle weight", "last weight", "strongest", "range", "shown", "events"];
  const head = ["source", "target", "lag", ...view, ...columns.map((column) => column.name)];
  const number = (value: number | null | undefined) => (value === null || value === undefined || Number.isNaN(value) ? "" : String(Number(value.toPrecision(6))));
  // Files are in data units, whatever is shown.
  const weight = (edge: Edge, value: number | null | undefined) => number(typeof value === "number" ? model.inData(edge, value) : value);
  const middle = Math.floor((model.frames - 1) / 2);
  const rows = store.list("q").map((edge) => [
    harmless(model.names[edge.from]!), harmless(model.names[edge.to]!), String(edge.lag),
    weight(edge, between(edge.weight, frame)), weight(edge, edge.low && between(edge.low, frame)), weight(edge, edge.high && between(edge.high, frame)),
    weight(edge, edge.weight[0]), weight(edge, edge.weight[middle]), weight(edge, edge.weight[model.frames - 1]), weight(edge, strongest(edge.weight)), weight(edge, edge.range),
    presence(model, edge), edge.changes.map(({ frame: at, kind }) => `${kind} ${model.label(at)}`).join("; "),
    ...edge.cells.map((value) => (typeof value === "string" ? value : number(value))),
  ]);
  const cell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return [head, ...rows].map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
}

export function saveTable(model: Model, store: Store): void {
  save(new Blob(["\ufeff", edgeTable(model, store)], { type: "text/csv" }), "edges.csv");
}
