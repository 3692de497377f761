// The band that holds the whole path of a weight, from the band that holds it at each time.
import type { RawWhole } from "./payload";

export interface Band {
  low: Float32Array;
  high: Float32Array;
}

/** As `Edge::simultaneous_bounds` of the library does it. */
export function wholeBand(weight: Float32Array, low: Float32Array, high: Float32Array, { times, least, halfway }: RawWhole): Band {
  const centre = (k: number) => (halfway ? (low[k]! + high[k]!) / 2 : weight[k]!);
  // Not Math.max, which would make NaN of a bound that is not there anyway.
  const reach = (gap: number) => times * (gap < least ? least : gap);
  return {
    low: low.map((bound, k) => centre(k) - reach(centre(k) - bound)),
    high: high.map((bound, k) => centre(k) + reach(bound - centre(k))),
  };
}
