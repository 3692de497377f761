// The band that holds the whole path of a weight, from the band that holds it at each time.
import type { RawWhole } from "./payload";

export interface Band {
  low: Float32Array;
  high: Float32Array;
}

/** As `Edge::simultaneous_bounds` of the library does it; `frames` are the steps of the curves. */
export function wholeBand(weight: Float32Array, low: Float32Array, high: Float32Array, raw: RawWhole, frames: ArrayLike<number>): Band {
  const { times, least, halfway, within } = raw;
  // Where the edge is not there its weight is 0, and the curve has none.
  const own = (k: number) => (Number.isNaN(weight[k]!) ? 0 : weight[k]!);
  const centre = (k: number) => (halfway ? (low[k]! + high[k]!) / 2 : own(k));
  // Not Math.max, which would make NaN of a bound that is not there anyway.
  const reach = (gap: number) => times * (gap < least ? least : gap);
  const lower = low.map((bound, k) => centre(k) - reach(centre(k) - bound));
  const upper = high.map((bound, k) => centre(k) + reach(bound - centre(k)));
  if (within === 0) return { low: lower, high: upper };
  const near = (k: number) => [k, nearest(frames, frames[k]! - within), nearest(frames, frames[k]! + within)];
  return {
    low: lower.map((_, k) => Math.min(...near(k).map((n) => lower[n]!))),
    high: upper.map((_, k) => Math.max(...near(k).map((n) => upper[n]!))),
  };
}

/** The frame whose step is nearest. */
function nearest(frames: ArrayLike<number>, step: number): number {
  let first = 0;
  let last = frames.length - 1;
  while (first < last) {
    const middle = (first + last) >> 1;
    if (frames[middle]! < step) first = middle + 1;
    else last = middle;
  }
  return first > 0 && step - frames[first - 1]! < frames[first]! - step ? first - 1 : first;
}
