// Curves from node to node that do not lie on each other.

export interface Point {
  x: number;
  y: number;
}

export interface Box extends Point {
  width: number;
  height: number;
}

export interface Shape {
  line: string;
  head: string;
  middle: Point;
}

const f = (x: number) => x.toFixed(1);

/** Where a ray from the middle of a rounded box, towards a point, leaves it. */
function border(box: Box, towards: Point): Point {
  const dx = towards.x - box.x;
  const dy = towards.y - box.y;
  const far = Math.hypot(dx, dy) || 1;
  const radius = box.height / 2;
  const flat = Math.max(0, box.width / 2 - radius);
  // A pill: two half circles and what is between them.
  const reach = Math.abs(dy) > 1e-6 ? radius / Math.abs(dy) : Infinity;
  if (Math.abs(dx * reach) <= flat) return { x: box.x + dx * reach, y: box.y + dy * reach };
  const side = dx > 0 ? flat : -flat;
  const ux = dx / far;
  const uy = dy / far;
  const along = ux * side;
  const t = along + Math.sqrt(Math.max(0, along * along - flat * flat + radius * radius));
  return { x: box.x + ux * t, y: box.y + uy * t };
}

/** A curve that bends to the right of its way, further for each edge before it. */
export function curve(from: Box, to: Box, bend: number, width: number, headless: boolean): Shape {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const far = Math.hypot(dx, dy) || 1;
  const away = Math.min(46, 0.11 * far) + 17 * bend;
  const control = { x: (from.x + to.x) / 2 + (-dy / far) * away, y: (from.y + to.y) / 2 + (dx / far) * away };
  const start = border(from, control);
  const tip = border(to, control);
  const head = 4.5 + 1.5 * width;
  const way = Math.hypot(tip.x - control.x, tip.y - control.y) || 1;
  const ux = (tip.x - control.x) / way;
  const uy = (tip.y - control.y) / way;
  const short = headless ? 0 : head * 0.8;
  const end = { x: tip.x - ux * short, y: tip.y - uy * short };
  return {
    line: `M${f(start.x)} ${f(start.y)}Q${f(control.x)} ${f(control.y)} ${f(end.x)} ${f(end.y)}`,
    head: arrow(tip, ux, uy, head),
    middle: { x: (start.x + 2 * control.x + end.x) / 4, y: (start.y + 2 * control.y + end.y) / 4 },
  };
}

/** An effect of a variable on itself: a loop that points away from the middle of the picture. */
export function loop(box: Box, centre: Point, bend: number, width: number): Shape {
  const up = box.y <= centre.y ? -1 : 1;
  const top = { x: box.x, y: box.y + (up * box.height) / 2 };
  const reach = (box.height > 20 ? 26 : 15) + 9 * bend;
  const spread = box.height > 20 ? 9 : 4;
  const head = 3.5 + 1.1 * width;
  const tip = { x: top.x + spread, y: top.y };
  const end = { x: tip.x + 1.5, y: tip.y + up * head * 0.8 };
  return {
    line: `M${f(top.x - spread)} ${f(top.y)}C${f(top.x - spread - 12)} ${f(top.y + up * reach)} ${f(top.x + spread + 12)} ${f(top.y + up * reach)} ${f(end.x)} ${f(end.y)}`,
    head: arrow(tip, -0.25, -up, head),
    middle: { x: top.x, y: top.y + up * (reach * 0.75 + 4) },
  };
}

function arrow(tip: Point, ux: number, uy: number, size: number): string {
  const half = size * 0.48;
  const back = { x: tip.x - ux * size, y: tip.y - uy * size };
  return `M${f(tip.x)} ${f(tip.y)}L${f(back.x - uy * half)} ${f(back.y + ux * half)}L${f(back.x + uy * half)} ${f(back.y - ux * half)}Z`;
}

/** Pushes boxes apart that lie on each other, and back into the picture. */
export function separate(places: Point[], sizes: { width: number; height: number }[], width: number, height: number): void {
  for (let round = 0; round < 40; round++) {
    let moved = false;
    for (let a = 0; a < places.length; a++) {
      for (let b = a + 1; b < places.length; b++) {
        const p = places[a]!;
        const q = places[b]!;
        const x = (sizes[a]!.width + sizes[b]!.width) / 2 + 14 - Math.abs(p.x - q.x);
        const y = (sizes[a]!.height + sizes[b]!.height) / 2 + 18 - Math.abs(p.y - q.y);
        if (x <= 0 || y <= 0) continue;
        moved = true;
        if (y <= x) shift(p, q, "y", y / 2);
        else shift(p, q, "x", x / 2);
      }
    }
    places.forEach((place, k) => {
      const half = sizes[k]!.width / 2 + 6;
      place.x = Math.min(width - half, Math.max(half, place.x));
      place.y = Math.min(height - 24, Math.max(24, place.y));
    });
    if (!moved) return;
  }
}

function shift(p: Point, q: Point, axis: "x" | "y", by: number): void {
  const sign = p[axis] <= q[axis] ? 1 : -1;
  p[axis] -= sign * by;
  q[axis] += sign * by;
}
