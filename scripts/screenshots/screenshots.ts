import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import { ensureBuilt } from "../build/ensure-built.mjs";
import { appPages, openPaths, pathsOf } from "../../e2e/app-pages";
import { findBrowser } from "../../e2e/browser";
import type { SeedData } from "../../e2e/seed-account";
import { seedHistory } from "../../e2e/seed-history";
import { openAdmin } from "./open-admin";
import { waitUntilIdle } from "./wait-until-idle";
import { type SeededHub, openSeededHub } from "./seeded-hub";
import { readCookies } from "./read-cookies";

const folder = path.resolve("screenshots");
const widths = [1280, 390];
const themes = ["light", "dark"] as const;
/** The buttons of a page that open a dialog or menu, by route. */
const overlayButtons: Record<string, (string | RegExp)[]> = {
  "/overview": ["Menu"],
  "/keys": ["Create key", /^Revoke /],
  "/webhooks": ["Add webhook"],
  "/settings": ["Sign out everywhere"],
  "/generations/[id]": ["Cancel generation"],
};

await ensureBuilt(["client", "server", "pages"]);
await rm(folder, { recursive: true, force: true });
const hub = await openSeededHub();
Object.assign(hub.data, await openAdmin(hub));
await seedHistory(hub.dataDir);
const browser = await chromium.launch({ executablePath: await findBrowser(), args: ["--no-sandbox"] });
try {
  for (const theme of themes) for (const width of widths) await captureAllPages(browser, hub, { theme, width });
  process.stdout.write(`Saved a screenshot of every page to ${folder}\n`);
} finally {
  await browser.close();
  await hub.stop();
}

interface Appearance {
  theme: "light" | "dark";
  width: number;
}

/** Captures every page as a visitor, as an operator whose account has data, and as an empty account. */
async function captureAllPages(using: Browser, seeded: SeededHub, { theme, width }: Appearance) {
  const target = path.join(folder, `${theme}-${width}`);
  await mkdir(target, { recursive: true });
  const visitors: [string, string, SeedData | null][] = [
    ["", seeded.cookie, seeded.data],
    ["empty-", seeded.emptyCookie, null],
  ];
  for (const [prefix, cookie, data] of visitors) {
    const context = await using.newContext({
      colorScheme: theme,
      viewport: { width, height: width > 600 ? 900 : 844 },
      reducedMotion: "reduce",
    });
    const page = await context.newPage();
    if (data) {
      for (const openPath of openPaths)
        await capturePage(page, seeded.url + openPath, path.join(target, fileNameOf(openPath)));
    }
    await context.addCookies(readCookies(cookie).map((each) => ({ ...each, url: seeded.url })));
    for (const { route, pagePath } of listPages(data)) {
      const file = path.join(target, prefix + fileNameOf(pagePath));
      await capturePage(page, seeded.url + pagePath, file);
      if (data) await captureOverlays(page, overlayButtons[route] ?? [], file);
    }
    await context.close();
  }
}

/** Lists the pages of the console and their paths; with data, also those of resources and of operators. */
function listPages(data: SeedData | null): { route: string; pagePath: string }[] {
  return appPages
    .filter(({ group, route }) => (group === "console" ? data || !route.includes("[") : data && group === "admin"))
    .flatMap((appPage) => pathsOf(appPage, data ?? {}).map((pagePath) => ({ route: appPage.route, pagePath })));
}

function fileNameOf(route: string): string {
  return route.slice(1).replaceAll("/", "-") || "home";
}

async function capturePage(page: Page, url: string, file: string): Promise<void> {
  await page.goto(url);
  await waitUntilIdle(page);
  await page.screenshot({ path: `${file}.png`, fullPage: true });
}

async function captureOverlays(page: Page, buttons: (string | RegExp)[], file: string): Promise<void> {
  for (const [index, button] of buttons.entries()) {
    const opener = page.getByRole("button", { name: button }).first();
    if (!(await opener.isVisible())) continue;
    await opener.click();
    await page.getByRole("dialog").or(page.getByRole("alertdialog")).waitFor();
    await page.screenshot({ path: `${file}-over-${index + 1}.png` });
    await page.keyboard.press("Escape");
  }
}
