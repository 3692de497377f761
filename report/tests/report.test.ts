// The report in a real browser, as a reader uses it.
import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { browser as launch, drawn, open, slide } from "./browser.js";
import { dycausal, moving, named, numbers, report, run, scratch, write } from "./fixtures.js";

let browser: Browser;
before(async () => { browser = await launch(); });
after(async () => { await browser.close(); });

/** Three edges: one always, one from step 11 on, one that changes sign at lag 2. */
function three(): string {
  const steps = 21;
  return report(write("three", ["rain", "soil", "river", "lonely"], steps, 2, [
    { from: 0, to: 1, lag: 0, trajectory: { constant: 0.5 }, presence: [[0, steps]] },
    { from: 1, to: 2, lag: 1, trajectory: { steps: Array.from({ length: steps }, (_, t) => 0.1 + 0.04 * t) }, presence: [[10, steps]] },
    { from: 0, to: 2, lag: 2, trajectory: { steps: Array.from({ length: steps }, (_, t) => 1 - 0.1 * t) }, presence: [[0, steps]] },
  ]));
}

const state = (page: Page) => page.evaluate(() => location.hash);
const rows = (page: Page) => page.locator("#trajectories .row").evaluateAll((all) => all.map((row) => row.getAttribute("aria-label") ?? ""));

test("the slider moves edges: they come, grow, fade and turn", async () => {
  const { page, complaints, requests } = await open(browser, three());
  await slide(page, "#time", 0);
  const early = await drawn(page);
  assert.deepEqual(Object.keys(early).sort(), ["0", "2"]);
  await slide(page, "#time", 12);
  const later = await drawn(page);
  assert.deepEqual(Object.keys(later).sort(), ["0", "1", "2"]);
  assert.match(early["2"]!.kind, /positive/);
  assert.match(later["2"]!.kind, /negative/);
  assert.ok(Number(early["2"]!.width) > Number(later["2"]!.width));
  assert.equal(early["0"]!.width, later["0"]!.width);
  assert.equal(await page.locator(".now").textContent(), "step 13 of 21");
  assert.deepEqual([complaints, requests], [[], []]);
});

test("nodes stay where they are while time moves", async () => {
  const { page } = await open(browser, three());
  const places = () => page.locator("#graph .node").evaluateAll((all) => all.map((node) => node.getAttribute("transform")));
  const before = await places();
  await slide(page, "#time", 20);
  assert.deepEqual(await places(), before);
  const again = await open(browser, three());
  assert.deepEqual(await again.page.locator("#graph .node").evaluateAll((all) => all.map((node) => node.getAttribute("transform"))), before);
});

test("play advances, stops at the end, and can be paused", async () => {
  const { page, complaints } = await open(browser, three());
  await slide(page, "#time", 0);
  await page.selectOption(".timebar select", "4");
  await page.click(".play");
  await page.waitForFunction(() => Number((document.getElementById("time") as HTMLInputElement).value) > 3);
  await page.click(".play");
  const paused = await page.locator("#time").inputValue();
  await page.waitForTimeout(300);
  assert.equal(await page.locator("#time").inputValue(), paused);
  await page.click(".play");
  await page.waitForFunction(() => (document.getElementById("time") as HTMLInputElement).value === "20");
  await page.waitForFunction(() => document.querySelector(".play")?.getAttribute("aria-label") === "Play");
  assert.deepEqual(complaints, []);
});

test("filters by lag, strength and change act on all views", async () => {
  const { page } = await open(browser, three(), "#t=13");
  assert.equal((await rows(page)).length, 3);
  await page.click('[data-lag="2"]');
  assert.deepEqual(Object.keys(await drawn(page)).sort(), ["0", "1"]);
  assert.ok(!(await rows(page)).some((row) => row.includes("lag 2")));
  await page.click('[data-lag="2"]');
  await slide(page, "#least", 750);
  const strong = await rows(page);
  assert.ok(strong.length < 3 && strong.length > 0, String(strong));
  assert.match(await page.locator(".note").textContent() ?? "", /of 3 edges/);
  await page.click(".note button");
  assert.equal((await rows(page)).length, 3);
  await page.check("#changing");
  assert.ok(!(await rows(page)).includes("rain → soil"));
});

/** Edges of falling strength and growing q; the last was not tested. */
function tested(): string {
  const steps = 11;
  const edge = (from: number, to: number, weight: number, q: number | null) => ({
    from, to, lag: 0, trajectory: { constant: weight }, presence: [[0, steps]] as [number, number][],
    ...(q === null ? {} : { tests: { absent: q / 2, absent_adjusted: q, unchanging: 0.4, unchanging_adjusted: 0.5, certain: null } }),
  });
  return report(write("tested", ["rain", "soil", "river", "lake"], steps, 0, [
    { ...edge(0, 1, 0.9, 0.2), mark: "undirected" as const, confidence: 0.5 },
    { ...edge(0, 2, 0.1, 0.001), mark: "conflict" as const },
    edge(1, 2, 0.3, 0.02),
    edge(2, 3, 2, null),
  ]));
}

test("edges are listed by q, and a slider leaves out those of larger q", async () => {
  const { page, complaints } = await open(browser, tested());
  const listed = () => page.locator("#edges tbody tr").evaluateAll((all) => all.map((row) => `${row.children[0]!.textContent} ${row.children[1]!.textContent}`));
  assert.deepEqual(await listed(), ["rain river", "soil river", "rain soil", "river lake"]);
  assert.match(await page.locator(".filters").textContent() ?? "", /q at mostall/);
  await slide(page, "#q", 783);
  assert.deepEqual(await listed(), ["rain river", "soil river"]);
  assert.match(await page.locator(".filters").textContent() ?? "", /≤ 0\.05/);
  assert.deepEqual(Object.keys(await drawn(page)).sort(), ["1", "2"]);
  assert.equal((await rows(page)).length, 2);
  await page.waitForFunction(() => location.hash.includes("q=0.05"));
  const again = await open(browser, tested(), await state(page));
  assert.equal((await rows(again.page)).length, 2);
  await page.click(".note button");
  assert.equal((await listed()).length, 4);
  assert.deepEqual(complaints, []);
  const untested = await open(browser, three());
  assert.equal(await untested.page.locator("#q").count(), 0, "nothing to slide where nothing was tested");
});

test("directions that are not known have no arrow, and are said", async () => {
  const { page, complaints } = await open(browser, tested());
  const heads = await page.locator("#graph .edge").evaluateAll((all) => all.map((edge) => edge.querySelector(".head")?.getAttribute("d") ?? ""));
  assert.deepEqual(heads.map((head) => head !== ""), [false, false, true, true]);
  assert.match(await page.locator(".legend").textContent() ?? "", /no arrow: direction open/);
  assert.match(await page.locator(".headline").textContent() ?? "", /direction of 2 open/);
  const text = await page.locator("#edges").textContent() ?? "";
  assert.match(text, /direction open/);
  assert.match(text, /direction in conflict/);
  const [csv] = await Promise.all([page.waitForEvent("download"), page.click("#csv")]);
  const lines = readFileSync(await csv.path(), "utf8").replace("\ufeff", "").trim().split("\r\n");
  assert.match(lines[0]!, /,p,q,p_unchanging,q_unchanging,mark,confidence$/);
  assert.match(lines[3]!, /^rain,soil,0,.*,0\.1,0\.2,0\.4,0\.5,undirected,0\.5$/);
  assert.deepEqual(complaints, []);
});

/** Effects of like strength between columns of very different units; one was required. */
function mixed(): string {
  const steps = 11;
  const edge = (from: number, to: number, weight: number) => ({ from, to, lag: 1, trajectory: { constant: weight }, presence: [[0, steps]] as [number, number][] });
  const facts = { knowledge: { source: "known.toml", statements: ["require grams → tons at lag 1"] } };
  const sketch = (values: number[]) => ({ mean: 1, sd: 2, values });
  const column = { unit: 1 };
  const prepared = { steps: ["difference:price"], lost: 1, columns: [column, column, { done: ["difference"], unit: 1, meaning: "one unit of change over a step", before: sketch([1, 2, 4]), after: sketch([1, 2]) }] };
  return report(write("mixed", ["grams", "tons", "price"], steps, 1, [
    { ...edge(0, 1, 1e-6), given: "edge" as const }, edge(1, 2, 4e5), edge(2, 0, -0.5),
  ], { facts }, { scale: [1e6, 1, 1e6], knowledge: facts.knowledge, prepared }));
}

test("columns of different units are compared in standard deviations, and shown as they are where that is asked for", async () => {
  const { page, complaints } = await open(browser, mixed());
  const widths = () => page.locator("#graph .edge").evaluateAll((all) => all.map((edge) => Number(edge.querySelector(".line")!.getAttribute("stroke-width"))));
  const [grams, tons, price] = await widths();
  assert.ok(grams! > price! && price! > tons! && tons! > 2, String(await widths()));
  assert.match(await page.locator(".headline").textContent() ?? "", /strongestgrams → tons, lag 11 sd/);
  await slide(page, "#least", 700);
  assert.deepEqual(await rows(page), ["grams → tons, lag 1", "price → grams, lag 1"]);
  await page.click(".note button");
  await page.selectOption("#sort", "strength");
  assert.deepEqual(await rows(page), ["grams → tons, lag 1", "price → grams, lag 1", "tons → price, lag 1"]);
  const [csv] = await Promise.all([page.waitForEvent("download"), page.click("#csv")]);
  assert.match(readFileSync(await csv.path(), "utf8"), /tons,price,1,400000,/, "files are in data units");
  await page.check("#units");
  const data = await widths();
  assert.ok(data[1]! > 5 && data[0]! < 1 && data[2]! < 1, String(data));
  assert.match(await page.locator(".headline").textContent() ?? "", /strongesttons → price, lag 14\.0e5/);
  await page.waitForFunction(() => location.hash.includes("units=data"));
  const again = await open(browser, mixed(), await state(page));
  assert.ok(await again.page.isChecked("#units"));
  await page.uncheck("#units");
  const back = await widths();
  assert.ok(Math.abs(back[0]! - grams!) < 0.02, "there and back");
  assert.deepEqual(complaints, []);
  const plain = await open(browser, three());
  assert.equal(await plain.page.locator("#units").count(), 0, "no switch where standard deviations are not known");
});

test("what was known before and what was done to columns is told", async () => {
  const { page, complaints } = await open(browser, mixed());
  assert.equal(await page.locator("#graph .halo").count(), 1);
  assert.match(await page.locator(".legend").textContent() ?? "", /required beforehand/);
  assert.match(await page.locator(".headline").textContent() ?? "", /known before1 edge/);
  assert.match(await page.locator("#edges").textContent() ?? "", /that it is there/);
  const told = await page.locator("#diagnostics").textContent() ?? "";
  assert.match(told, /require grams → tons at lag 1/);
  assert.match(told, /one unit of change over a step/);
  assert.equal(await page.locator(".prepared .spark").count(), 2, "before and after");
  assert.deepEqual(complaints, []);
});

test("search finds a variable, and its neighbourhood can be looked at alone", async () => {
  const { page, complaints } = await open(browser, report(run("wide", named(50), 30, 1, 2)));
  await page.keyboard.press("/");
  await page.keyboard.type("SENSOR 17");
  assert.deepEqual(await page.locator("#found li[role=option]").allTextContents(), ["sensor 17"]);
  await page.keyboard.press("Enter");
  assert.match(await page.locator(".choice").textContent() ?? "", /sensor 17/);
  const shown = await page.locator("#graph .node:not([display=none])").count();
  assert.ok(shown >= 1 && shown < 50, String(shown));
  assert.ok((await rows(page)).every((row) => row.includes("sensor 17")));
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("#graph .node:not([display=none])").count(), 50);
  await page.fill("#search", "nobody");
  assert.match(await page.locator("#found").textContent() ?? "", /No such variable/);
  assert.deepEqual(complaints, []);
});

test("pointing at a node lights its causes and effects and shows numbers", async () => {
  const { page } = await open(browser, three(), "#t=13");
  await page.hover('#graph [data-variable="2"]');
  assert.match(await page.locator(".tooltip").textContent() ?? "", /river.*2 causes.*soil.*rain|river.*2 causes.*rain.*soil/s);
  const dim = await page.locator("#graph .node.dim").count();
  assert.equal(dim, 1);
  await page.hover("#trajectories .row");
  assert.match(await page.locator(".tooltip").textContent() ?? "", /weight at/);
});

test("how edges move is told: bands of the path, changes with their times, words, a filter, regimes", async () => {
  const { page, complaints, requests } = await open(browser, report(moving("moving")), "#t=60");
  assert.equal(await page.locator("#trajectories .row .whole").count(), 5);
  assert.equal(await page.locator("#trajectories .row .within").count(), 4);
  const row = page.locator("#trajectories .row", { hasText: "rain → soil" });
  assert.match(await row.textContent() ?? "", /appears at 61 ± 3 steps \(93 %\)/);
  assert.match(await row.locator(".change title").textContent() ?? "", /^appears at 61 \(58 to 64\)$/);
  await row.locator(".name").hover();
  assert.match(await page.locator(".tooltip").textContent() ?? "", /of the whole path.*from 65 to 120.*appears at 61/);
  await page.locator("#trajectories .row", { hasText: "lake → lake" }).locator(".name").hover();
  const words = await page.locator(".tooltip").textContent() ?? "";
  // The wider band is the narrower one times 1.6 on either side of the weight.
  const [, weight, low, high, wideLow, wideHigh] = /weight at \d+?(0\.\d+?)95 % band(.+?) to (.+?)of the whole path(.+?) to (.+?)strongest/.exec(words.replaceAll("−", "-"))!.map(Number);
  assert.ok(Math.abs(weight! - 1.6 * (weight! - low!) - wideLow!) < 0.02 && Math.abs(weight! + 1.6 * (high! - weight!) - wideHigh!) < 0.02, words);
  await page.selectOption("#motion", "flips");
  assert.deepEqual(await rows(page), ["soil → river, lag 1"]);
  await page.waitForFunction(() => location.hash.includes("motion=flips"));
  await page.click(".note button");
  assert.equal((await rows(page)).length, 5);
  const regime = page.locator(".fact.regime");
  assert.match(await regime.textContent() ?? "", /regime changes62 \(59 to 64\)2 edges/);
  await slide(page, "#time", 0);
  await regime.click();
  assert.equal(await page.locator(".now").textContent(), "step 62 of 120");
  assert.equal(await page.locator(".activity .regime").count(), 1);
  assert.match(await page.locator("#edges tbody").textContent() ?? "", /never certain.*pulses at 21 ± 2 steps and 91 ± 5 steps/);
  const [csv] = await Promise.all([page.waitForEvent("download"), page.click("#csv")]);
  const header = readFileSync(await csv.path(), "utf8").split("\r\n")[0]!.split(",");
  assert.equal(new Set(header).size, header.length, "each column once");
  assert.ok(header.includes("there") && header.includes("motion"), String(header));
  assert.deepEqual([complaints, requests], [[], []]);
});

test("what is chosen in one view is chosen in all, and in the address", async () => {
  const { page } = await open(browser, three());
  await page.locator("#trajectories .row", { hasText: "soil → river" }).locator(".name").click();
  assert.equal(await page.locator("#graph .edge.chosen").count(), 1);
  assert.equal(await page.locator("#matrix rect.chosen").count(), 1);
  assert.equal(await page.locator("#edges tr.chosen").count(), 1);
  await page.waitForFunction(() => location.hash.includes("edge=soil~river~1"));
  await slide(page, "#time", 15);
  await page.waitForFunction(() => location.hash.includes("t=16"));
  const again = await open(browser, three(), await state(page));
  assert.equal(await again.page.locator(".now").textContent(), "step 16 of 21");
  assert.equal(await again.page.locator("#trajectories .row.chosen").getAttribute("aria-label"), "soil → river, lag 1");
});

test("an address that says nothing sensible breaks nothing", async () => {
  const { page, complaints } = await open(browser, three(), "#t=banana&edge=%E0%A4%A&lags=99&sort=wrong&least=-3&variable=nobody&focus=1");
  assert.equal(await page.locator(".now").textContent(), "step 11 of 21");
  assert.deepEqual(complaints, []);
});

test("keys do what the page says", async () => {
  const { page } = await open(browser, three(), "#t=5");
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.locator(".now").textContent(), "step 6 of 21");
  await page.keyboard.press("End");
  assert.equal(await page.locator(".now").textContent(), "step 21 of 21");
  await page.keyboard.press("Space");
  await page.waitForFunction(() => document.querySelector(".play")?.getAttribute("aria-label") === "Pause");
  await page.keyboard.press("Home");
  assert.equal(await page.locator(".now").textContent(), "step 1 of 21");
  await page.focus("#graph svg.graph");
  await page.keyboard.press("ArrowDown");
  assert.match(await page.locator(".choice").textContent() ?? "", /rain/);
  await page.keyboard.press("Enter");
  assert.equal(await page.locator("#graph .node:not([display=none])").count(), 3);
});

test("views are saved as sound SVG and PNG, edges as CSV", async () => {
  const { page, complaints, requests } = await open(browser, three());
  for (const view of ["graph", "trajectories", "matrix"]) {
    const [svg] = await Promise.all([page.waitForEvent("download"), page.click(`#${view} [data-save=svg]`)]);
    const text = readFileSync(await svg.path(), "utf8");
    const sound = await page.evaluate((xml) => {
      const parsed = new DOMParser().parseFromString(xml, "image/svg+xml");
      return { error: parsed.querySelector("parsererror")?.textContent ?? null, root: parsed.documentElement.namespaceURI, shapes: parsed.querySelectorAll("path, rect, circle").length };
    }, text);
    assert.equal(sound.error, null);
    assert.equal(sound.root, "http://www.w3.org/2000/svg");
    assert.ok(sound.shapes > 3, `${view}: ${sound.shapes}`);
    assert.ok(!text.includes("var(--"), "a file has no style sheet to look colours up in");
    const [png] = await Promise.all([page.waitForEvent("download"), page.click(`#${view} [data-save=png]`)]);
    const bytes = readFileSync(await png.path());
    assert.deepEqual([...bytes.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
    assert.ok(bytes.length > 2000, `${view}: ${bytes.length}`);
  }
  const [csv] = await Promise.all([page.waitForEvent("download"), page.click("#csv")]);
  const lines = readFileSync(await csv.path(), "utf8").replace("\ufeff", "").trim().split("\r\n");
  assert.equal(lines.length, 4);
  assert.match(lines[0]!, /^source,target,lag,weight at 11/);
  assert.ok(lines.some((line) => line.startsWith("soil,river,1,0.5,")), lines.join("\n"));
  assert.deepEqual([complaints, requests], [[], []]);
});

test("hostile names show as text and break nothing", async () => {
  const names = ["<script>window.broken=1</script>", `"quotes" & 'more' </text>`, "🌊🔥", "n".repeat(200), "مرحبا بالعالم", "", "two\nlines\u0007", "</script><img src=x onerror=\"window.broken=1\">", "a~b&c=d#e%20", "__proto__"];
  const random = numbers(5);
  const steps = 12;
  const edges = names.map((_, k) => ({ from: k, to: (k + 1) % names.length, lag: 1, trajectory: { steps: Array.from({ length: steps }, () => random() - 0.4) }, presence: [[0, steps]] as [number, number][] }));
  const page0 = report(write("hostile", names, steps, 1, edges, { source: "<b>data</b>.csv", warnings: ["<i>careful</i>"], command: "dycausal fit '</script><script>window.broken=1</script>'" }));
  const { page, complaints, requests } = await open(browser, page0);
  assert.equal(await page.evaluate(() => (window as unknown as { broken?: number }).broken), undefined);
  assert.equal(await page.locator("#page script, #page img, #page b, #page i").count(), 0);
  for (const name of names) {
    const shown = name === "" ? "(no name, 6)" : name;
    assert.equal(await page.locator("#edges tbody th").evaluateAll((all, text) => all.filter((cell) => cell.textContent === text).length, shown), 1, JSON.stringify(name));
  }
  const box = await page.locator("#page").evaluate((element) => [element.scrollWidth, element.clientWidth]);
  assert.ok(box[0]! <= box[1]!, "nothing sticks out");
  for (const name of names.filter((text) => text.trim() !== "")) {
    const index = names.indexOf(name);
    const opened = await open(browser, page0, `#t=3&variable=${encodeURIComponent(name).replaceAll("~", "%7E")}`);
    assert.equal(await opened.page.locator("#graph .node.chosen").getAttribute("data-variable"), String(index));
    await opened.page.context().close();
  }
  const [svg] = await Promise.all([page.waitForEvent("download"), page.click("#graph [data-save=svg]")]);
  const error = await page.evaluate((xml) => new DOMParser().parseFromString(xml, "image/svg+xml").querySelector("parsererror")?.textContent ?? null, readFileSync(await svg.path(), "utf8"));
  assert.equal(error, null);
  assert.deepEqual([complaints, requests], [[], []]);
});

test("data, missing cells, residual checks, parameters and the command are there", async () => {
  const random = numbers(11);
  const table = ["a,b,c"];
  let a = 0;
  for (let t = 0; t < 120; t++) {
    const b = 0.9 * a + 0.1 * random();
    a = random() - 0.5;
    table.push(`${t > 40 && t < 50 ? "" : a},${b},${random()}`);
  }
  writeFileSync(join(scratch, "gaps.csv"), table.join("\n") + "\n");
  dycausal("fit", "gaps.csv", "-o", "gaps", "--report", "--force");
  const { page, complaints, requests } = await open(browser, join(scratch, "gaps", "report.html"));
  assert.match(await page.locator("#series").textContent() ?? "", /9 missing cells marked below, of which 9 were filled/);
  assert.ok((await page.locator("#series .fill").count()) > 3);
  assert.equal(await page.locator("#series .gap").count(), 0);
  assert.match(await page.locator("#diagnostics").textContent() ?? "", /9 of 9 missing cells were filled/);
  assert.match(await page.locator("#diagnostics").textContent() ?? "", /dycausal fit gaps.csv -o gaps --report --force/);
  assert.match(await page.locator("#diagnostics").textContent() ?? "", /acyclic at all 120 steps/);
  assert.equal(await page.locator(".checks tbody tr").count(), 3);
  assert.deepEqual([complaints, requests], [[], []]);
});

test("a graph that predicts worse than the mean says so at the top", async () => {
  const random = numbers(12);
  const rows = Array.from({ length: 120 }, () => [random(), random()]);
  writeFileSync(join(scratch, "harm.csv"), "a,b\n" + rows.map((row) => row.join(",")).join("\n") + "\n");
  const folder = write("harm", ["a", "b"], 120, 1, [{ from: 0, to: 1, lag: 1, trajectory: { constant: 4 }, presence: [[0, 120]] }]);
  const { page, complaints } = await open(browser, report(folder, "--data", "harm.csv"));
  assert.match(await page.locator(".alarms").first().textContent() ?? "", /the graph predicts `b` worse than its mean \(explained −/);
  assert.equal(await page.locator(".checks .flag.worst").count() > 0, true);
  assert.match(await page.locator(".assumption").textContent() ?? "", /these data cannot rule that out/);
  assert.deepEqual(complaints, []);
});

test("the truth stands beside what was learned", async () => {
  dycausal("demo", "-o", "demo", "--force");
  const { page, complaints, requests } = await open(browser, join(scratch, "demo", "report.html"));
  const titles = await page.locator("#matrix .title").allTextContents();
  assert.deepEqual(titles, ["Learned, same step", "True, same step", "Learned, lag 1", "True, lag 1"]);
  assert.match(await page.locator(".compared").textContent() ?? "", /true edges are found/);
  assert.ok((await page.locator("#trajectories .truth").count()) > 0);
  assert.deepEqual([complaints, requests], [[], []]);
});

test("effects that bend are drawn, move with time, and are chosen like edges", async () => {
  const at = [-2, -1, 0, 1, 2];
  const curve = (step: number, height: number) => ({ step, effect: at.map((x) => height * x * x), low: at.map((x) => height * x * x - 0.2), high: at.map((x) => height * x * x + 0.2) });
  const edge = { from: 0, to: 1, lag: 1, trajectory: { constant: 1.5 }, presence: [[0, 10]] as [number, number][] };
  const folder = write("bent", ["heat", "rate", "rest"], 10, 1, [
    { ...edge, effect: { at, level: 0.95, curves: [curve(1, 1), curve(9, -1)] } },
    { ...edge, to: 2, effect: { at, level: 0.95, curves: [curve(1, 0.5)] } },
  ], { facts: { models: [{ model: "linear", log_likelihood: -1.2, gain: 0, error: 0, edges: 1, chosen: false }, { model: "additive", log_likelihood: -0.9, gain: 120, error: 9, edges: 2, chosen: true }] } });
  const { page, complaints } = await open(browser, report(folder));
  await page.waitForSelector("html[data-ready=all]");
  assert.equal(await page.locator("#effects .effect").count(), 2);
  const path = () => page.locator("#effects .effect[data-edge='0'] .mean").getAttribute("d");
  const before = await path();
  await page.locator(".timebar input[type=range]").fill("9");
  assert.notEqual(await path(), before);
  await page.locator("#effects .effect[data-edge='1']").click();
  assert.equal(await page.locator("#effects .effect.chosen").getAttribute("data-edge"), "1");
  assert.match(await page.locator("#diagnostics").textContent() ?? "", /model additive\+120 ± 9 over all rows \(taken\)/);
  assert.deepEqual(complaints, []);
});

test("a graph without edges, and one of a single step, open", async () => {
  for (const steps of [1, 5]) {
    const { page, complaints } = await open(browser, report(write(`empty${steps}`, ["a", "b"], steps, 0, [])));
    assert.match(await page.locator("h1").textContent() ?? "", /no edge/);
    assert.match(await page.locator("#graph .empty").textContent() ?? "", /No edge was found/);
    assert.deepEqual(complaints, []);
  }
});

test("dark, phone and paper", async () => {
  const page0 = three();
  const dark = await open(browser, page0, "", { colorScheme: "dark" });
  const ground = () => dark.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const night = await ground();
  await dark.page.click(".theme");
  assert.notEqual(await ground(), night);
  const phone = await open(browser, page0, "", { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  const [wide, shown] = await phone.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(wide! <= shown!, `${wide} is wider than the phone's ${shown}`);
  assert.ok(await phone.page.locator(".play").isVisible());
  await phone.page.emulateMedia({ media: "print" });
  assert.equal(await phone.page.locator(".timebar").isVisible(), false);
  assert.ok(await phone.page.locator("#diagnostics").isVisible());
  assert.deepEqual([dark.complaints, phone.complaints], [[], []]);
});

for (const { variables, steps, limit } of [{ variables: 50, steps: 500, limit: 1000 }, { variables: 200, steps: 500, limit: 3000 }]) {
  test(`${variables} variables and ${steps} steps open in under ${limit / 1000} s from at most 1 MB`, async (context) => {
    const folder = run(`size${variables}`, named(variables), steps, 1, 4);
    const random = numbers(variables);
    const header = named(variables).join(",");
    const table = Array.from({ length: steps }, () => Array.from({ length: variables }, () => (random() * 10 - 5).toFixed(4)).join(","));
    writeFileSync(join(scratch, `size${variables}.csv`), `${header}\n${table.join("\n")}\n`);
    const page0 = report(folder, "--data", join(scratch, `size${variables}.csv`));
    const bytes = statSync(page0).size;
    // The browser itself is warm, as a reader's is.
    await (await open(browser, three())).page.context().close();
    const times: number[] = [];
    for (let k = 0; k < 3; k++) {
      const { page, marks, complaints } = await open(browser, page0);
      times.push(marks.all);
      context.diagnostic(`script from ${marks.begin.toFixed(0)} ms, unpacked ${marks.unpacked.toFixed(0)} ms, first views ${marks.first.toFixed(0)} ms, all ${marks.all.toFixed(0)} ms`);
      assert.deepEqual(complaints, []);
      await page.context().close();
    }
    const middle = times.sort((a, b) => a - b)[1]!;
    context.diagnostic(`${variables} variables × ${steps} steps: ${(bytes / 1e6).toFixed(2)} MB, all views after ${middle.toFixed(0)} ms (middle of three)`);
    assert.ok(bytes <= 1_000_000, `${bytes} bytes`);
    assert.ok(middle < limit, `${middle} ms`);
  });
}
