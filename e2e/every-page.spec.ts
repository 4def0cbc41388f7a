import type { BrowserContext, Page } from "@playwright/test";
import { isSoak } from "../test/soak";
import { type AppPage, consolePages, openPaths, pathsOf } from "./app-pages";
import { expectUsable, expectUsableInEveryTheme, signInTo, signUp } from "./console";
import { seedAccount, type SeedData } from "./seed-account";
import { expect, test } from "./journey";
import { measureScripts } from "./measure-scripts";

/** The most compressed script bytes that a page of the console may load initially. */
const MAX_SCRIPT_BYTES = 175_000;
/** Added for the chart library, which the page Usage loads once it shows a chart. */
const CHART_BYTES = 70_000;

// These loops visit many pages, possibly on a busy machine.
test.setTimeout(240_000);

let seeded: Promise<SeedData> | undefined;
const cookieOf = async (context: BrowserContext) =>
  (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");

/** Returns one resource for each page, but a generation in every status, because each shows other parts; all in the soak. */
const chooseResources = (seedData: SeedData): SeedData =>
  isSoak
    ? seedData
    : Object.fromEntries(
        Object.entries(seedData).map(([route, ids]) => [route, route === "/generations/[id]" ? ids : ids.slice(0, 1)]),
      );

/** Pages that have between them each kind of part: prose, code, forms, lists, media, charts and states. */
const variedPages = [
  "/",
  "/docs/api/generations",
  "/sign-in",
  "/characters/new",
  "/generations",
  "/generations/[id]",
  "/overview",
  "/playground",
  "/quickstarts",
  "/settings",
  "/webhooks/[id]",
];
const known = new Set([...openPaths, ...consolePages.map(({ route }) => route)]);
for (const page of variedPages) if (!known.has(page)) throw new Error(`${page} is no page of the app.`);
const checkOf = (route: string) => (variedPages.includes(route) ? expectUsableInEveryTheme : expectUsable);

/** Fails if the page loaded too many bytes of script. */
async function expectLight(page: Page): Promise<void> {
  const { bytes, scripts } = await measureScripts(page);
  const max = MAX_SCRIPT_BYTES + (new URL(page.url()).pathname === "/usage" ? CHART_BYTES : 0);
  expect(scripts).toBeGreaterThan(4);
  expect(bytes, "compressed bytes of script").toBeLessThanOrEqual(max);
}

/** Opens and checks each path. Fails at the end, with the failures of all pages. */
async function visitAll(
  page: Page,
  url: string,
  paths: string[],
  check: (path: string) => Promise<void>,
): Promise<void> {
  const failures: string[] = [];
  for (const path of paths) {
    await page.goto(url + path);
    await test.step(path, () => check(path)).catch((e: Error) => failures.push(`${path}: ${e.message.slice(0, 600)}`));
  }
  expect(failures.join("\n")).toBe("");
}

test("no page of the console opens without a session or with an API key", async ({ hub }) => {
  const ids = {
    "/generations/[id]": ["1"],
    "/generations/collections/[id]": ["1"],
    "/batches/[id]": ["1"],
    "/webhooks/[id]": ["1"],
    "/characters/[id]": ["1"],
    "/characters/[id]/edit": ["1"],
    "/keys/[id]": ["1"],
    "/models/[id]": ["sandbox-text"],
  };
  const bearer = { authorization: `Bearer ${hub.key}` };
  expect(consolePages.length).toBeGreaterThanOrEqual(11);
  for (const path of consolePages.flatMap((page) => pathsOf(page, ids))) {
    for (const headers of [{}, bearer, { ...bearer, cookie: ".AspNetCore.Cookies=x" }]) {
      const reply = await fetch(hub.url + path, { headers, redirect: "manual" });
      expect({ path, status: reply.status, to: reply.headers.get("location") }).toEqual({
        path,
        status: 307,
        to: `/sign-in?next=${encodeURIComponent(path)}`,
      });
      expect(await reply.text()).not.toContain("demo@example.org");
    }
  }
});

const isUsable = "is accessible, fits a phone and logs no errors";

test(`every page without a session ${isUsable}`, async ({ page, hub }) => {
  const paths = openPaths.map((path) => (path === "/reset-password" ? `${path}?token=x` : path));
  await visitAll(page, hub.url, paths, async (path) => {
    // The reference repeats one kind of entry, and checking all of them would take minutes. All but three are hidden
    // instead of removed, because hydration would miss them.
    await page.locator(".entry").evaluateAll((all) => all.slice(3).forEach((one) => one.setAttribute("style", "display: none"))); // prettier-ignore
    await checkOf(path)(page);
  });
});

const hasId = ({ route }: AppPage): boolean => route.includes("[");
for (const [name, pages] of [
  ["page of a resource", consolePages.filter(hasId)],
  ["other page of the console", consolePages.filter((one) => !hasId(one))],
] as const)
  test(`every ${name} ${isUsable}`, async ({ page, hub, context }) => {
    await signInTo(page, hub);
    const seedData = await (seeded ??= seedAccount({ ...hub, cookie: await cookieOf(context) }));
    const chosen = chooseResources(seedData);
    const paths = pages.flatMap((one) => pathsOf(one, chosen));
    // The other statuses of a generation show other parts, but in the colours of the first one.
    const firstChecks = new Map(pages.map((one) => [pathsOf(one, chosen)[0], checkOf(one.route)]));
    await visitAll(page, hub.url, paths, async (path) => {
      await (firstChecks.get(path) ?? expectUsable)(page);
      await expectLight(page);
    });
  });

test("another account's resources have no page", async ({ page, hub, context }) => {
  await signInTo(page, hub);
  const seedData = await (seeded ??= seedAccount({ ...hub, cookie: await cookieOf(context) }));
  await context.clearCookies();
  await signUp(page, hub.url);
  const headers = { cookie: await cookieOf(context) };
  const { "/models/[id]": models, ...owned } = seedData;
  for (const path of consolePages.flatMap((one) => pathsOf(one, seedData))) {
    const html = await (await fetch(hub.url + path, { headers })).text();
    const names = Object.values(owned).flat().filter((id) => html.includes(id) && !path.endsWith(`/${id}`)); // prettier-ignore
    expect({ path, names: names.filter((id) => id.length > 8) }).toEqual({ path, names: [] });
    expect(html, path).not.toContain(hub.demo.email);
    // A page whose skeleton has already been sent reports the 404 in its body, with the status 200.
    const isAnothers = /\/[\w-]+\/./.test(path) && !models!.some((id) => path.endsWith(`/${id}`));
    if (isAnothers) expect(html, path).toMatch(/NEXT_HTTP_ERROR_FALLBACK;404|Page not found/);
  }
});
