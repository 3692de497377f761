// Elements without markup: names of variables are only ever text.

export type Attributes = Record<string, string | number | boolean | null | undefined | ((event: Event) => void)>;
type Child = Node | string | null | undefined | false;

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else set(element, name, value);
  }
  for (const child of children) if (child) element.append(child);
}

/** Sets or removes an attribute. */
export function set(element: Element, name: string, value: string | number | boolean | null | undefined): void {
  if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? "" : String(value));
}

/** An HTML element. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

/** An SVG element. */
export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(element, attributes, children);
  return element;
}

const canvas = document.createElement("canvas").getContext("2d");

/** How wide a text is. */
export function textWidth(text: string, size: number, weight = 400): number {
  if (!canvas) return text.length * size * 0.6;
  canvas.font = `${weight} ${size}px system-ui, sans-serif`;
  return canvas.measureText(text).width;
}

/** The text, cut with an ellipsis where it is too wide. */
export function clipped(text: string, width: number, size: number, weight = 400): string {
  // Control characters and line ends would break the line they stand in.
  const line = text.replace(/[\u0000-\u001f\u007f\u2028\u2029]/g, "␣");
  if (textWidth(line, size, weight) <= width) return line;
  const letters = Array.from(line.slice(0, 400));
  let low = 0;
  let high = letters.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (textWidth(letters.slice(0, middle).join("") + "…", size, weight) <= width) low = middle;
    else high = middle - 1;
  }
  return letters.slice(0, low).join("") + "…";
}
