import { type Browser, chromium } from "@playwright/test";
import { consolePages } from "../e2e/app-pages";
import { findBrowser } from "../e2e/browser";
import { openSeededHub } from "../scripts/screenshots/seeded-hub";
import { readCookies } from "../scripts/screenshots/read-cookies";
import { ensureBuilt } from "../scripts/build/ensure-built.mjs";
import { quantile } from "./load";
import { checkBound, printLine, title } from "./report";

const VISITS_BEFORE = 100;
const ROUNDS = 15;
const MAX_RATIO = 1.5;
const pages = consolePages.map(({ route }) => route).filter((route) => !route.includes("["));

/** Measures the largest contentful paint of each page on a first visit, beside an empty Next page. */
export async function benchConsole(emptyUrl: string): Promise<void> {
  title(`the largest paint in a browser with nothing in its cache, median of ${ROUNDS}, in turn`);
  await ensureBuilt(["client", "server", "pages"]);
  const hub = await openSeededHub();
  const browser = await chromium.launch({ executablePath: await findBrowser(), args: ["--no-sandbox"] });
  const ways = [["an empty Next page", emptyUrl], ...pages.map((page) => [page, hub.url + page])] as [string, string][];
  const times = new Map<string, number[]>(ways.map(([name]) => [name, []]));
  try {
    for (const [, url] of ways) await warmUp(url, hub.cookie);
    // The first round is the browser's own.
    for (let round = 0; round <= ROUNDS; round += 1)
      for (const [name, url] of ways) {
        const time = await largestPaint(browser, url, hub.cookie);
        if (round > 0) times.get(name)!.push(time);
      }
  } finally {
    await browser.close();
    await hub.stop();
  }
  const medians = ways.map(([name]) => [name, quantile(times.get(name)!, 0.5)] as const);
  for (const [name, median] of medians) printLine(`  ${name.padEnd(48)} ${median.toFixed(0).padStart(8)} ms`);
  for (const [name, median] of medians.slice(1))
    checkBound(`${name} against it`, median / medians[0]![1], "at most", MAX_RATIO);
}

/** Both are measured as they are after a while: their code is compiled for speed only once it has run often. */
async function warmUp(url: string, cookie: string): Promise<void> {
  for (let visit = 0; visit < VISITS_BEFORE; visit += 1)
    await (await fetch(url, { headers: { cookie } })).arrayBuffer();
}

/** In milliseconds after the navigation began. */
async function largestPaint(on: Browser, url: string, cookie: string): Promise<number> {
  const context = await on.newContext();
  await context.addCookies(readCookies(cookie).map((one) => ({ ...one, url: new URL(url).origin })));
  const page = await context.newPage();
  await page.goto(url, { waitUntil: "load" });
  const time = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let last = 0;
        new PerformanceObserver((list) => {
          last = list.getEntries().at(-1)!.startTime;
          // What is painted later would be another entry soon.
          setTimeout(() => resolve(last), 300);
        }).observe({ type: "largest-contentful-paint", buffered: true });
      }),
  );
  await context.close();
  return time;
}
