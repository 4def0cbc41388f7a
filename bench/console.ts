import { chromium } from "@playwright/test";
import { adminPages, type AppPage, consolePages, pathsOf } from "../e2e/app-pages";
import { giveSecondFactor } from "../e2e/authenticator";
import { findBrowser } from "../e2e/browser";
import { openSeededHub, type SeededHub } from "../scripts/screenshots/seeded-hub";
import { ensureBuilt } from "../scripts/build/ensure-built.mjs";
import type { Bench } from "./bench";
import { median } from "./load";
import { type Visit, visitOnPhone } from "./phone";
import { checkBound, printLine, printTitle } from "./report";

const WARM_UP_REQUESTS = 20;
const ROUNDS = 5;
const MAX_LARGEST_PAINT_MS = 2_000;
const MAX_INTERACTION_MS = 200;
const MAX_SCRIPT_KB = 180;

/** Measures every page of the console and of the operators' console, or those whose routes are given, on a phone. */
export async function benchConsole({ values }: Bench): Promise<void> {
  printTitle(`Pages on a phone (4 times slower, slow 4G) with an empty cache, median of ${ROUNDS}, pages in turn`);
  const routes = values.filter((value) => value.startsWith("/"));
  await ensureBuilt(["client", "server", "pages"]);
  const pages = [...consolePages, ...adminPages].filter(({ route }) => !routes.length || routes.includes(route));
  const hub = await openSeededHub();
  const browser = await chromium.launch({ executablePath: await findBrowser(), args: ["--no-sandbox"] });
  const visits = new Map<AppPage, Visit[]>(pages.map((page) => [page, []]));
  try {
    const ids = { ...hub.data, ...(await openAdmin(hub)) };
    const urlOf = (page: AppPage) => hub.url + pathsOf(page, ids)[0]!;
    for (const page of pages) await warmUpServer(urlOf(page), hub.cookie);
    for (let round = 0; round < ROUNDS; round += 1)
      for (const page of pages) visits.get(page)!.push(await visitOnPhone(browser, urlOf(page), hub.cookie));
  } finally {
    await browser.close();
    await hub.stop();
  }
  for (const [{ route }, all] of visits) checkPage(route, all);
}

/** Makes the signed-in person an operator with a payment, and returns the ids for the pages of operators. */
async function openAdmin(hub: SeededHub): Promise<Record<string, string[]>> {
  const { email } = hub.demo;
  await hub.cli("operator", "grant", "--email", email, "--role", "operator");
  await giveSecondFactor(hub, email);
  const payment = ["--amount", "10", "--reference", "transfer-1", "--json"];
  const { stdout } = await hub.cli("payment", "record", "--email", email, ...payment);
  return {
    "/admin/accounts/[id]": ["1"],
    "/admin/payments/[id]": [(JSON.parse(stdout) as { id: string }).id],
  };
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
  printLine(`  ${route}: longest task ${over("longestTaskMs").toFixed(0)} ms`);
  checkBound(`${route}: largest paint`, over("largestPaintMs"), "at most", MAX_LARGEST_PAINT_MS, " ms");
  checkBound(`${route}: tap to paint`, over("interactionMs"), "at most", MAX_INTERACTION_MS, " ms");
  checkBound(`${route}: scripts`, over("scriptBytes") / 1_000, "at most", MAX_SCRIPT_KB, " kB");
}
