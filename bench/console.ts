import { chromium } from "@playwright/test";
import { adminPages, type AppPage, appPages, consolePages, pathsOf } from "../e2e/app-pages";
import { findBrowser } from "../e2e/browser";
import { openAdmin } from "../scripts/screenshots/open-admin";
import { openSeededHub } from "../scripts/screenshots/seeded-hub";
import { ensureBuilt } from "../scripts/build/ensure-built.mjs";
import type { Bench } from "./bench";
import { median } from "./load";
import { type Visit, visitOnPhone } from "./phone";
import { checkBound, printLine, printTitle } from "./report";

const WARM_UP_REQUESTS = 20;
const ROUNDS = 5;
const MAX_LARGEST_PAINT_MS = 500;
const MAX_INTERACTION_MS = 200;
const MAX_LAYOUT_SHIFT = 0.05;
const MAX_SCRIPT_KB = 180;
/** For the chart library, which pages with charts load once they have something to draw. */
const MAX_CHART_SCRIPT_KB = 50;
const chartRoutes = ["/usage", "/admin"];

/** The pages of visitors that show something without a link from an e-mail or a program. */
const openRoutes = ["/", "/sign-in", "/sign-up", "/docs", "/docs/quick-start", "/docs/webhooks", "/docs/hub/errors", "/docs/api/[tag]"]; // prettier-ignore
const isOpen = ({ route }: AppPage): boolean => openRoutes.includes(route);

/** Measures every page of the console, of the operators' console and of visitors, or those whose routes are given, on a phone. */
export async function benchConsole({ values }: Bench): Promise<void> {
  printTitle(`Pages on a phone (4 times slower, slow 4G) with an empty cache, median of ${ROUNDS}, pages in turn`);
  const routes = values.filter((value) => value.startsWith("/"));
  await ensureBuilt(["client", "server", "pages"]);
  const pages = [...consolePages, ...adminPages, ...appPages.filter(isOpen)].filter(
    ({ route }) => !routes.length || routes.includes(route),
  );
  const hub = await openSeededHub();
  const browser = await chromium.launch({ executablePath: await findBrowser(), args: ["--no-sandbox"] });
  const visits = new Map<AppPage, Visit[]>(pages.map((page) => [page, []]));
  try {
    const ids = { ...hub.data, ...(await openAdmin(hub)), "/docs/api/[tag]": ["generations"] };
    const urlOf = (page: AppPage) => hub.url + pathsOf(page, ids)[0]!;
    const cookieOf = (page: AppPage) => (isOpen(page) ? "" : hub.cookie);
    for (const page of pages) await warmUpServer(urlOf(page), cookieOf(page));
    for (let round = 0; round < ROUNDS; round += 1)
      for (const page of pages) visits.get(page)!.push(await visitOnPhone(browser, urlOf(page), cookieOf(page)));
  } finally {
    await browser.close();
    await hub.stop();
  }
  for (const [{ route }, all] of visits) checkPage(route, all);
}

/** Requests a page several times, because the first requests load its code. */
async function warmUpServer(url: string, cookie: string): Promise<void> {
  for (let request = 0; request < WARM_UP_REQUESTS; request += 1) {
    const reply = await fetch(url, { headers: { cookie }, redirect: "manual" });
    if (reply.status !== 200) throw new Error(`${url}: ${reply.status}`);
    await reply.arrayBuffer();
  }
}

function checkPage(route: string, visits: Visit[]): void {
  const over = (figure: keyof Visit) => median(visits.map((visit) => visit[figure]));
  const maxScriptKb = MAX_SCRIPT_KB + (chartRoutes.includes(route) ? MAX_CHART_SCRIPT_KB : 0);
  printLine(`  ${route}: longest task ${over("longestTaskMs").toFixed(0)} ms`);
  checkBound(`${route}: largest paint`, over("largestPaintMs"), "at most", MAX_LARGEST_PAINT_MS, " ms");
  checkBound(`${route}: tap to paint`, over("interactionMs"), "at most", MAX_INTERACTION_MS, " ms");
  checkBound(`${route}: layout shift`, over("layoutShift"), "at most", MAX_LAYOUT_SHIFT);
  checkBound(`${route}: scripts`, over("scriptBytes") / 1_000, "at most", maxScriptKb, " kB");
}
