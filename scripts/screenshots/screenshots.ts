import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import { ensureBuilt } from "../build/ensure-built.mjs";
import { appPages, pathsOf } from "../../e2e/app-pages";
import { findBrowser } from "../../e2e/browser";
import type { SeedData } from "../../e2e/seed-account";
import { type SeededHub, openSeededHub } from "./seeded-hub";
import { readCookies } from "./read-cookies";

const folder = path.resolve("screenshots");
const widths = [1440, 390];
const themes = ["light", "dark"] as const;
/** What opens over a page, by the button that opens it. */
const overlays: Record<string, (string | RegExp)[]> = {
  "/overview": ["Menu"],
  "/keys": ["Create key", /^Revoke /],
  "/webhooks": ["Add webhook"],
  "/settings": ["Sign out everywhere"],
  "/generations/[id]": ["Cancel generation"],
};

await ensureBuilt(["client", "server", "pages"]);
await rm(folder, { recursive: true, force: true });
const hub = await openSeededHub();
const browser = await chromium.launch({ executablePath: await findBrowser(), args: ["--no-sandbox"] });
try {
  for (const theme of themes) for (const width of widths) await takeAll(browser, hub, { theme, width });
  process.stdout.write(`Every page is in ${folder}.\n`);
} finally {
  await browser.close();
  await hub.stop();
}

/** Every page in one theme at one width: to anybody, to an account that has everything, and to one that has nothing. */
async function takeAll(on: Browser, place: SeededHub, { theme, width }: { theme: "light" | "dark"; width: number }) {
  const shots = path.join(folder, `${theme}-${width}`);
  await mkdir(shots, { recursive: true });
  const visitors: [string, string, SeedData | null][] = [
    ["", place.cookie, place.things],
    ["empty-", place.emptyCookie, null],
  ];
  for (const [prefix, cookie, things] of visitors) {
    const context = await on.newContext({
      ...{ colorScheme: theme, viewport: { width, height: width > 600 ? 900 : 844 }, reducedMotion: "reduce" },
    });
    const page = await context.newPage();
    if (things) {
      for (const one of appPages.filter(({ group }) => group !== "console"))
        await take(page, place.url + one.route, path.join(shots, nameOf(one.route)));
    }
    await context.addCookies(readCookies(cookie).map((one) => ({ ...one, url: place.url })));
    for (const one of appPages.filter(({ group }) => group === "console")) {
      if (!things && one.route.includes("[")) continue;
      for (const at of pathsOf(one, things ?? {})) {
        const name = path.join(shots, prefix + nameOf(at));
        await take(page, place.url + at, name);
        if (things) await takeOverlays(page, overlays[one.route] ?? [], name);
      }
    }
    await context.close();
  }
}

function nameOf(route: string): string {
  return route.slice(1).replaceAll("/", "-") || "home";
}

async function take(page: Page, url: string, name: string): Promise<void> {
  await page.goto(url, { waitUntil: "networkidle" });
  await page.screenshot({ path: `${name}.png`, fullPage: true });
}

async function takeOverlays(page: Page, buttons: (string | RegExp)[], name: string): Promise<void> {
  for (const [index, button] of buttons.entries()) {
    const opener = page.getByRole("button", { name: button }).first();
    if (!(await opener.isVisible())) continue;
    await opener.click();
    await page.getByRole("dialog").or(page.getByRole("alertdialog")).waitFor();
    await page.screenshot({ path: `${name}-over-${index + 1}.png` });
    await page.keyboard.press("Escape");
  }
}
