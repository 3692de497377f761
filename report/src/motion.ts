// Moves points to where they should be, not all at once.
import type { Point } from "./geometry";

const MILLISECONDS = 420;

export class Motion {
  places: Point[] = [];
  private request = 0;

  constructor(private readonly moved: () => void) {}

  to(target: Point[], animated: boolean): void {
    cancelAnimationFrame(this.request);
    const start = this.places;
    if (!animated || start.length !== target.length) {
      this.places = target;
      this.moved();
      return;
    }
    const begun = performance.now();
    const step = (now: number) => {
      const share = Math.min(1, Math.max(0, (now - begun) / MILLISECONDS));
      const eased = 1 - (1 - share) ** 3;
      this.places = target.map((to, k) => ({
        x: start[k]!.x + (to.x - start[k]!.x) * eased,
        y: start[k]!.y + (to.y - start[k]!.y) * eased,
      }));
      this.moved();
      if (share < 1) this.request = requestAnimationFrame(step);
    };
    this.request = requestAnimationFrame(step);
  }
}
