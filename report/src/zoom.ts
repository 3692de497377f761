// Zooming with Ctrl and the wheel, buttons or two fingers; moving by dragging.
import { set } from "./dom";

export class Zoom {
  private scale = 1;
  private x = 0;
  private y = 0;
  private readonly pointers = new Map<number, PointerEvent>();

  constructor(
    private readonly svg: SVGSVGElement,
    private readonly scene: SVGGElement,
  ) {
    svg.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const { left, top } = svg.getBoundingClientRect();
      this.by(Math.exp(-event.deltaY * 0.0022), event.clientX - left, event.clientY - top);
    }, { passive: false });
    svg.addEventListener("pointerdown", (event) => this.pointers.set(event.pointerId, event));
    addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel"] as const) addEventListener(end, (event) => this.pointers.delete(event.pointerId));
  }

  by(factor: number, x = this.svg.clientWidth / 2, y = this.svg.clientHeight / 2): void {
    const scale = Math.min(12, Math.max(0.5, this.scale * factor));
    this.x = x - ((x - this.x) * scale) / this.scale;
    this.y = y - ((y - this.y) * scale) / this.scale;
    this.scale = scale;
    this.apply();
  }

  reset(): void {
    this.scale = 1;
    this.x = 0;
    this.y = 0;
    this.apply();
  }

  private drag(event: PointerEvent): void {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const others = [...this.pointers.values()].filter((pointer) => pointer.pointerId !== event.pointerId);
    this.pointers.set(event.pointerId, event);
    const [other] = others;
    if (other) {
      const apart = (pointer: PointerEvent) => Math.hypot(pointer.clientX - other.clientX, pointer.clientY - other.clientY) || 1;
      const { left, top } = this.svg.getBoundingClientRect();
      this.by(apart(event) / apart(before), (event.clientX + other.clientX) / 2 - left, (event.clientY + other.clientY) / 2 - top);
    } else if (event.pointerType === "mouse" || this.scale > 1) {
      this.x += event.clientX - before.clientX;
      this.y += event.clientY - before.clientY;
      this.apply();
    }
  }

  private apply(): void {
    set(this.scene, "transform", this.scale === 1 && this.x === 0 && this.y === 0 ? null : `translate(${this.x} ${this.y}) scale(${this.scale})`);
  }
}
