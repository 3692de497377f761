// Run folders of known content, and their reports as the real command writes them.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(fileURLToPath(new URL(".", import.meta.url)), "../../..");

/** The command: $DYCAUSAL, or what `cargo build` made. */
export const command = process.env["DYCAUSAL"] ?? join(root, "target/debug/dycausal");
if (!existsSync(command)) throw new Error(`${command} is not there; run cargo build --workspace, or set DYCAUSAL`);

export const scratch = mkdtempSync(join(tmpdir(), "dycausal-report-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));

/** A course of a mixture, as `graph.json` has it. */
interface Component {
  share: number;
  course: string | Record<string, number | number[]>;
  mean: number[];
  factor: number[];
}

interface Edge {
  from: number;
  to: number;
  lag: number;
  trajectory: { steps: number[] } | { constant: number } | { mixture: { span: { first: number; steps: number }; components: Component[] } };
  presence: [number, number][];
  band?: { level: number; low: number[]; high: number[] } | { level: number; simultaneous: number; least: number };
  motion?: { kind: string; probability: number; shares: [string, number][]; changes: { at: number; low: number; high: number }[] };
  tests?: Record<string, unknown>;
  effect?: { at: number[]; level: number; curves: { step: number; effect: number[]; low: number[]; high: number[] }[] };
  mark?: "undirected" | "conflict";
  confidence?: number;
  given?: "direction" | "edge";
}

/** Numbers that look random and are the same on every machine. */
export function numbers(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A run with so many edges per variable, all with bands; variables, steps and lag as given. */
export function run(name: string, names: string[], steps: number, lag: number, perVariable: number): string {
  const random = numbers(names.length * 1000 + steps);
  const edges = new Map<string, Edge>();
  for (let to = 0; to < names.length; to++) {
    for (let k = 0; k < perVariable; k++) {
      const own = Math.floor(random() * (lag + 1));
      const from = own === 0 ? Math.floor(random() * to) : Math.floor(random() * names.length);
      if (own === 0 && to === 0) continue;
      const [height, phase, speed] = [0.3 + random(), random() * 6, 1 + 3 * random()];
      const weights = Array.from({ length: steps }, (_, t) => height * Math.cos(phase + (speed * t) / steps) + 0.02 * Math.sin(t));
      const width = 0.05 + 0.1 * random();
      edges.set(`${own},${from},${to}`, {
        from, to, lag: own, trajectory: { steps: weights }, presence: random() < 0.2 ? [[Math.floor(steps / 3), steps]] : [[0, steps]],
        band: { level: 0.95, low: weights.map((w, t) => w - width - 0.01 * Math.cos(t)), high: weights.map((w, t) => w + width + 0.01 * Math.sin(t)) },
        tests: { absent: 1e-6, absent_adjusted: 1e-5, unchanging: 0.01, unchanging_adjusted: 0.02, certain: [[0, Math.floor(steps / 2)]] },
      });
    }
  }
  return write(name, names, steps, lag, [...edges.values()]);
}

/** Writes a run folder in the format of docs/formats.md. */
export function write(name: string, names: string[], steps: number, lag: number, edges: Edge[], more: Record<string, unknown> = {}, graph: Record<string, unknown> = {}): string {
  const folder = join(scratch, name);
  mkdirSync(folder, { recursive: true });
  const basis = { shape: { kind: "constant" }, steps, first: 0 };
  writeFileSync(join(folder, "graph.json"), JSON.stringify({ variables: names, lag, times: { steps }, basis, edges, ...graph }));
  writeFileSync(join(folder, "run.json"), JSON.stringify({
    version: "0.1.0", command: `dycausal fit ${name}.csv -o ${name}`, method: "ordered", parameters: { lag, level: 0.95 }, lag, seed: 7, threads: 2,
    source: `${name}.csv`, variables: names, series: 1, steps, missing: 0, edges: edges.length, timings: [{ stage: "fit", seconds: 0.5 }],
    warnings: [], certificate: { acyclic: { steps, order: names } }, ...more,
  }));
  return folder;
}

/** Edges of mixtures, with motions: two change together at step 60, one drifts, one stays, one is there for a while. */
export function moving(name: string, steps = 120): string {
  const course = (share: number, shape: Component["course"], mean: number[]): Component => ({
    share, course: shape, mean, factor: mean.flatMap((_, row) => mean.map((_, column) => (row === column ? 0.06 : 0))),
  });
  const edge = (from: number, to: number, kind: string, changes: [number, number, number][], certain: [number, number][], components: Component[]): Edge => ({
    from, to, lag: 1, presence: [[0, steps]], trajectory: { mixture: { span: { first: 1, steps }, components } },
    band: { level: 0.95, simultaneous: 1.6, least: 0.02 },
    motion: { kind, probability: 0.93, shares: [[kind, 0.93], ["static", 0.07]], changes: changes.map(([at, low, high]) => ({ at, low, high })) },
    tests: { absent: 1e-6, absent_adjusted: 1e-5, unchanging: kind === "static" ? 0.6 : 1e-4, unchanging_adjusted: kind === "static" ? 0.6 : 1e-4, certain },
  });
  const around = (at: number, kind: "from" | "until") => [-3, -1, 0, 1, 3].map((k) => course(k === 0 ? 0.5 : 0.125, { [kind]: at + k }, [0.9]));
  return write(name, ["rain", "soil", "river", "lake"], steps, 1, [
    edge(0, 1, "appears", [[60, 57, 63]], [[64, steps]], around(60, "from")),
    edge(1, 2, "flips", [[61, 58, 64]], [[0, 57], [65, steps]], [course(1, { jumps: [61] }, [0.8, -1.5])]),
    edge(2, 3, "drifts", [], [[0, 70]], [course(1, { smooth: 3 }, [0.4, 0.5, 0.1])]),
    edge(3, 3, "static", [], [[0, steps]], [course(1, "static", [0.5])]),
    edge(0, 3, "pulses", [[20, 18, 22], [90, 85, 95]], [], [course(1, { between: [20, 90] }, [-0.7])]),
  ]);
}

export function dycausal(...words: string[]): string {
  return execFileSync(command, words, { cwd: scratch, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}

/** The report of a run folder: the path of the page. */
export function report(folder: string, ...words: string[]): string {
  const page = `${folder}.html`;
  dycausal("report", folder, "-o", page, "--force", ...words);
  return page;
}

export function named(count: number): string[] {
  return Array.from({ length: count }, (_, k) => `sensor ${k + 1}`);
}
