// The screenshots of docs/pictures, from simulated data: npm run screenshots.
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { browser as launch, open } from "./browser.js";
import { dycausal, scratch } from "./fixtures.js";

const pictures = resolve(fileURLToPath(new URL(".", import.meta.url)), "../../../docs/pictures");

const systems: Record<string, { simulate: string; lag: string }> = {
  s10: { simulate: "--variables 10 --series 120 --steps 60 --lag 2 --density 1 --seed 5 --dynamics appearing", lag: "2" },
  s50: { simulate: "--variables 50 --series 20 --steps 500 --density 0.8 --seed 6", lag: "1" },
  s200: { simulate: "--variables 200 --series 100 --steps 60 --density 0.8 --seed 7", lag: "1" },
};
for (const [name, { simulate, lag }] of Object.entries(systems)) {
  dycausal("simulate", "linear", "-o", name, ...simulate.split(" "));
  dycausal("fit", `${name}/series.npy`, "-o", `${name}-run`, "--lag", lag, "--threads", "2");
  dycausal("report", `${name}-run`, "-o", `${name}.html`, "--truth", `${name}/truth.npy`);
}

const desk = { viewport: { width: 1280, height: 800 } };
const shots = [
  { file: "report-10", system: "s10", hash: "#t=30", options: desk },
  { file: "report-50", system: "s50", hash: "#t=60", options: desk },
  { file: "report-200", system: "s200", hash: "#t=5", options: desk },
  { file: "report-200-focus", system: "s200", hash: "#t=5&variable=x17&focus=1", options: { ...desk, colorScheme: "dark" as const } },
  { file: "report-phone", system: "s50", hash: "#t=60", options: { viewport: { width: 390, height: 844 } } },
];
const browser = await launch();
for (const { file, system, hash, options } of shots) {
  const { page } = await open(browser, join(scratch, `${system}.html`), hash, options);
  await page.waitForTimeout(600);
  await page.screenshot({ path: join(pictures, `${file}.png`) });
  await page.context().close();
}
await browser.close();
