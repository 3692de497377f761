// A real browser without a window, and a page of which every complaint and every request is kept.
import { pathToFileURL } from "node:url";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";

const executable = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

export async function browser(): Promise<Browser> {
  const quiet = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
  return chromium.launch({ executablePath: executable, args: quiet });
}

export interface Opened {
  page: Page;
  /** Errors and warnings of the console, and exceptions. */
  complaints: string[];
  /** Addresses asked for, but for the file itself and what it holds. */
  requests: string[];
  /** Milliseconds from the navigation until the script began, data were unpacked, the first views stood, and all. */
  marks: { begin: number; unpacked: number; first: number; all: number };
}

export async function open(browser: Browser, file: string, hash = "", options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, acceptDownloads: true, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  const address = pathToFileURL(file).href;
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("dialog", (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const url = request.url();
    if (url.split("#")[0] !== address && !url.startsWith("data:") && !url.startsWith("blob:")) requests.push(url);
  });
  await page.goto(address + hash);
  await page.waitForSelector("html[data-ready=all]", { state: "attached" });
  const marks = await page.evaluate(() => {
    const at = (name: string) => performance.getEntriesByName(name)[0]?.startTime ?? NaN;
    return { begin: at("begin"), unpacked: at("unpacked"), first: at("first"), all: at("all") };
  });
  return { page, complaints, requests, marks };
}

/** Edges that are drawn, with what moves. */
export async function drawn(page: Page): Promise<Record<string, { width: string; opacity: string; kind: string }>> {
  return page.evaluate(() => {
    const found: Record<string, { width: string; opacity: string; kind: string }> = {};
    for (const group of document.querySelectorAll<SVGGElement>("#graph [data-edge]")) {
      if (group.getAttribute("display") === "none") continue;
      found[group.dataset["edge"] ?? ""] = {
        width: group.querySelector(".line")?.getAttribute("stroke-width") ?? "",
        opacity: group.getAttribute("opacity") ?? "",
        kind: group.getAttribute("class") ?? "",
      };
    }
    return found;
  });
}

/** Moves the slider as a hand would: its value, and the event. */
export async function slide(page: Page, selector: string, value: number): Promise<void> {
  await page.locator(selector).evaluate((input, to) => {
    (input as HTMLInputElement).value = String(to);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }, value);
}
