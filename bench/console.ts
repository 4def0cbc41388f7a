import { type Browser, chromium } from "@playwright/test";
import { consolePages } from "../e2e/app-pages";
import { findBrowser } from "../e2e/browser";
import { openSeededHub } from "../scripts/screenshots/seeded-hub";
import { readCookies } from "../scripts/screenshots/read-cookies";
import { ensureBuilt } from "../scripts/build/ensure-built.mjs";
import { quantile } from "./load";
import { checkBound, printLine, printTitle } from "./report";

const WARM_UP_REQUESTS = 100;
const ROUNDS = 15;
const MAX_RATIO = 1.5;
const pages = consolePages.map(({ route }) => route).filter((route) => !route.includes("["));

/** Measures the largest contentful paint of each page on a first visit, beside an empty Next page. */
export async function benchConsole(emptyUrl: string): Promise<void> {
  printTitle(`Largest contentful paint with an empty browser cache, median of ${ROUNDS}, pages in turn`);
  await ensureBuilt(["client", "server", "pages"]);
  const hub = await openSeededHub();
  const browser = await chromium.launch({ executablePath: await findBrowser(), args: ["--no-sandbox"] });
  const targets = [["an empty Next page", emptyUrl], ...pages.map((page) => [page, hub.url + page])] as const;
  const times = new Map<string, number[]>(targets.map(([name]) => [name, []]));
  try {
    for (const [, url] of targets) await warmUpServer(url, hub.cookie);
    // The first round warms up the browser and is not counted.
    for (let round = 0; round <= ROUNDS; round += 1)
      for (const [name, url] of targets) {
        const time = await measureLargestPaint(browser, url, hub.cookie);
        if (round > 0) times.get(name)!.push(time);
      }
  } finally {
    await browser.close();
    await hub.stop();
  }
  const medians = targets.map(([name]) => [name, quantile(times.get(name)!, 0.5)] as const);
  for (const [name, median] of medians) printLine(`  ${name.padEnd(48)} ${median.toFixed(0).padStart(8)} ms`);
  for (const [name, median] of medians.slice(1))
    checkBound(`${name} / empty page`, median / medians[0]![1], "at most", MAX_RATIO);
}

/** Requests a page often, because V8 optimizes code only once it has run often. */
async function warmUpServer(url: string, cookie: string): Promise<void> {
  for (let request = 0; request < WARM_UP_REQUESTS; request += 1)
    await (await fetch(url, { headers: { cookie } })).arrayBuffer();
}

/** Returns the time of the largest contentful paint in milliseconds after the navigation. */
async function measureLargestPaint(browser: Browser, url: string, cookie: string): Promise<number> {
  const context = await browser.newContext();
  await context.addCookies(readCookies(cookie).map((each) => ({ ...each, url: new URL(url).origin })));
  const page = await context.newPage();
  await page.goto(url, { waitUntil: "load" });
  const time = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let last = 0;
        new PerformanceObserver((list) => {
          last = list.getEntries().at(-1)!.startTime;
          // A larger paint would add another entry soon.
          setTimeout(() => resolve(last), 300);
        }).observe({ type: "largest-contentful-paint", buffered: true });
      }),
  );
  await context.close();
  return time;
}
