import type { Browser, BrowserContext, Page } from "@playwright/test";
import { measureScripts } from "../e2e/measure-scripts";
import { readCookies } from "../scripts/screenshots/read-cookies";
import { waitUntilIdle } from "../scripts/screenshots/wait-until-idle";

export interface Visit {
  /** Milliseconds after the navigation. */
  largestPaintMs: number;
  /** The longest time from a tap to the next paint. */
  interactionMs: number;
  /** The longest task of the page's scripts while it loaded, during which a tap has to wait. */
  longestTaskMs: number;
  /** How far the layout shifted until the page had loaded (Cumulative Layout Shift). */
  layoutShift: number;
  /** As loaded, compressed by Brotli. */
  scriptBytes: number;
}

/** Slow 4G, as Lighthouse emulates it. */
const network = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
/** The processor of a phone is this much slower. */
const CPU_SLOWDOWN = 4;
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };

/** Controls that answer a tap without leaving the page. */
const CONTROLS =
  "button:enabled:not([aria-disabled=true]):visible, summary:visible, input[type=checkbox]:visible, [role=tab]:visible";
/** A tap is painted, and its work done, within this time. */
const TAP_MS = 600;

/** Visits a page as a phone on slow 4G with an empty cache, and taps its first control and the menu. */
export async function visitOnPhone(browser: Browser, url: string, cookie: string): Promise<Visit> {
  const context = await browser.newContext(phone);
  try {
    if (cookie !== "")
      await context.addCookies(readCookies(cookie).map((each) => ({ ...each, url: new URL(url).origin })));
    const page = await context.newPage();
    await throttle(context, page);
    await page.addInitScript(observeTimings);
    await page.goto(url);
    await waitUntilIdle(page);
    const loaded = await readTimings(page);
    if (loaded.largestPaintMs === 0) throw new Error(`${url}: the browser reported no largest paint`);
    const { bytes } = await measureScripts(page);
    for (const control of [
      page.getByRole("main").locator(CONTROLS).first(),
      page.getByRole("button", { name: "Menu" }),
    ])
      await tap(page, control);
    return { ...loaded, interactionMs: (await readTimings(page)).interactionMs, scriptBytes: bytes };
  } finally {
    await context.close();
  }
}

async function throttle(context: BrowserContext, page: Page): Promise<void> {
  const client = await context.newCDPSession(page);
  await client.send("Network.enable");
  await client.send("Network.emulateNetworkConditions", network);
  await client.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
}

/** Taps a control, if the page has it, and closes what it opened. */
async function tap(page: Page, control: ReturnType<Page["locator"]>): Promise<void> {
  if ((await control.count()) === 0) return;
  await control.tap();
  await page.waitForTimeout(TAP_MS);
  await page.keyboard.press("Escape");
  await page.waitForTimeout(TAP_MS);
}

type Entry = PerformanceEntry & { value?: number; interactionId?: number };

type Timings = Omit<Visit, "scriptBytes">;

/**
 * Collects the timings of a page in itself; it runs there before the page's own scripts. It has no named functions inside,
 * because tsx would mark these with a helper that the page does not have.
 */
function observeTimings(): void {
  const timings: Timings = { largestPaintMs: 0, interactionMs: 0, longestTaskMs: 0, layoutShift: 0 };
  Object.assign(window, { timings });
  for (const type of ["largest-contentful-paint", "longtask", "layout-shift", "event"])
    new PerformanceObserver((list) => {
      for (const { entryType, startTime, duration, value = 0, interactionId } of list.getEntries() as Entry[]) {
        if (entryType === "largest-contentful-paint") timings.largestPaintMs = startTime;
        else if (entryType === "layout-shift") timings.layoutShift += value;
        else if (entryType === "longtask") timings.longestTaskMs = Math.max(timings.longestTaskMs, duration);
        // Other events do not belong to a tap, such as those of the browser's own pointer while the page is laid out.
        else if (interactionId) timings.interactionMs = Math.max(timings.interactionMs, duration);
      }
    }).observe({ type, buffered: true, durationThreshold: 16 } as PerformanceObserverInit);
}

const readTimings = (page: Page): Promise<Timings> =>
  page.evaluate(() => (window as unknown as { timings: Timings }).timings);
