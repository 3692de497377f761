// One variable and its neighbours: causes to the left, effects to the right, both above and below.
import type { Point } from "./geometry";
import type { Model } from "./model";
import type { Store } from "./state";

/** Rows that still can be read. */
const ROW = 34;

export function egoPlaces(model: Model, store: Store, variable: number, width: number, height: number): Map<number, Point> {
  const causes = new Set(model.parents[variable]!.filter((e) => store.passes(e)).map((e) => e.from));
  const effects = new Set(model.children[variable]!.filter((e) => store.passes(e)).map((e) => e.to));
  causes.delete(variable);
  effects.delete(variable);
  const both = [...causes].filter((v) => effects.has(v));
  const places = new Map<number, Point>([[variable, { x: width / 2, y: height / 2 }]]);
  column(places, [...causes].filter((v) => !effects.has(v)), 0, width, height);
  column(places, [...effects].filter((v) => !causes.has(v)), 1, width, height);
  both.forEach((v, k) => {
    const row = Math.floor(k / 2) + 1;
    const reach = (height / 2 - 50) / Math.ceil(both.length / 2);
    places.set(v, { x: width / 2 + (k % 4 < 2 ? 0 : 60), y: height / 2 + (k % 2 ? 1 : -1) * Math.min(row * 90, 50 + row * reach) });
  });
  return places;
}

/** As many columns as it takes, the nearest first, on the left (0) or right (1). */
function column(places: Map<number, Point>, variables: number[], side: 0 | 1, width: number, height: number): void {
  const rows = Math.max(1, Math.floor((height - 60) / ROW));
  const columns = Math.ceil(variables.length / rows);
  const room = width * 0.36;
  variables.forEach((variable, k) => {
    const c = Math.floor(k / rows);
    const inColumn = Math.min(rows, variables.length - c * rows);
    const y = height / 2 + (((k % rows) - (inColumn - 1) / 2) * (height - 60)) / Math.max(inColumn, 4);
    const across = columns === 1 ? 0.35 : c / (columns - 0.999);
    const x = 0.1 * width + (1 - across) * room * 0.75;
    places.set(variable, { x: side === 0 ? x : width - x, y });
  });
}
