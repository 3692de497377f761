// Numbers as a reader wants them.

/** Three significant digits, with a real minus. */
export function show(value: number | null | undefined): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 1e5 || size < 1e-3 ? value.toExponential(1) : String(Number(value.toPrecision(3)));
  return text.replace("-", "−").replace("e+", "e");
}

/** A p-value or q-value. */
export function chance(value: number | null): string {
  if (value === null) return "–";
  return value < 0.0001 ? "< 0.0001" : value.toFixed(value < 0.01 ? 4 : 2);
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

/** Round numbers for an axis, at most `most` of them. */
export function ticks(low: number, high: number, most: number): number[] {
  const span = high - low;
  if (!(span > 0)) return [low];
  const raw = span / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((k) => k * power).find((k) => k >= raw) ?? raw;
  const marks: number[] = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * span; k++) marks.push(k * step);
  return marks;
}
