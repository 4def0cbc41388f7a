import { readFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import type { AxeResults, RunOptions } from "axe-core";
import { isSoak } from "../test/soak";
import { expect } from "./journey";

let people = 0;

export interface Person {
  email: string;
  password: string;
}

/** Creates an account and signs the page in to it, as the sign-up page does; then opens `path`, if given. */
export async function signUp(page: Page, url: string, path?: string, name = "person"): Promise<Person> {
  const person = newPerson(name);
  const { email, password } = person;
  const created = await page.request.post(`${url}/api/trpc/access.signUp`, { data: { json: { email, password } } });
  expect(created.status()).toBe(200);
  await startSession(page, url, person);
  // A hub that has just started renders its first page.
  if (path !== undefined) await page.goto(url + path, { timeout: 20_000 });
  return person;
}

/** Signs up on the sign-up page, which opens the overview. */
export async function fillSignUp(page: Page, url: string): Promise<Person> {
  const person = newPerson("person");
  await page.goto(`${url}/sign-up`);
  await page.getByLabel("E-mail").fill(person.email);
  await page.getByLabel("Password").fill(person.password);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page).toHaveURL(`${url}/overview`, { timeout: 20_000 });
  return person;
}

const newPerson = (name: string): Person => ({
  email: `${name}-${Date.now()}-${(people += 1)}@example.org`,
  password: "correct horse",
});

/** Sends the request of the sign-in page; the journeys about sessions use the page itself. */
async function startSession(page: Page, url: string, { email, password }: Person): Promise<void> {
  const { csrfToken } = (await (await page.request.get(`${url}/api/auth/csrf`)).json()) as { csrfToken: string };
  const form = { csrfToken, json: "true", email, password };
  expect((await page.request.post(`${url}/api/auth/callback/credentials`, { form })).status()).toBe(200);
}

export async function fillSignIn(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Creates an API key by the session of a page, without its dialog. */
export async function requestKey(page: Page, url: string, name: string): Promise<{ id: string; key: string }> {
  const headers = { "X-Requested-With": "XMLHttpRequest" };
  const created = await page.request.post(`${url}/api/v1/hub/keys`, { headers, data: { name } });
  return (await created.json()) as { id: string; key: string };
}

/** Creates an API key in the console and returns its secret. */
export async function createKey(page: Page, name: string): Promise<string> {
  await page.getByRole("button", { name: "Create key" }).first().click();
  return fillNewKey(page, name);
}

/** Creates an API key in the dialog that is open, and returns its secret. */
export async function fillNewKey(page: Page, name: string): Promise<string> {
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("button", { name: "Create key" }).click();
  const secret = await dialog.getByLabel("New key").textContent();
  await closeSecret(page);
  return secret!;
}

/** Closes the dialog that shows a new secret, without copying it. */
export const closeSecret = (page: Page): Promise<void> =>
  page.getByRole("dialog").getByRole("button", { name: "I have saved it" }).click();

/** Waits until the page is hydrated, for elements that Playwright cannot wait for itself. */
export async function expectHydrated(page: Page): Promise<void> {
  await expect(page.getByRole("button", { name: "Sign out", exact: true }).first()).toBeEnabled();
}

/** Presses a key on an element of a hydrated page; Playwright's own `press` waits for neither, and the key would be lost. */
export async function press(element: Locator, key: string): Promise<void> {
  await expectHydrated(element.page());
  await expect(element).toBeEnabled();
  await element.press(key);
}

const axeSource = readFileSync("node_modules/axe-core/axe.min.js", "utf8");

/** Fails on accessibility violations that axe finds on this page, which has no frames. */
export async function expectAccessible(page: Page, rules?: string[]): Promise<void> {
  expect(page.frames()).toHaveLength(1);
  // It is sent once for each document.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeSource);
  // Describing what passes takes half of the time.
  const options: RunOptions = { resultTypes: ["violations"], ...(rules && { runOnly: rules }) };
  const summaries = await page.evaluate(async (chosen) => {
    const { axe } = window as unknown as { axe: { run: (root: Document, options: RunOptions) => Promise<AxeResults> } };
    const { violations } = await axe.run(document, chosen);
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html, any }) => `${html} ${any[0]?.message ?? ""}`).join(" · ")}`,
    );
  }, options);
  expect(summaries).toEqual([]);
}

/** Signs in to the demo account, which has credit; then opens `path`, if given. */
export async function signInTo(page: Page, hub: { url: string; demo: Person }, path?: string): Promise<void> {
  await startSession(page, hub.url, hub.demo);
  if (path === undefined) return;
  await page.goto(hub.url + path);
  await expect(page).toHaveURL(hub.url + path);
}

const appearances = [
  { colorScheme: "light", forcedColors: "none" },
  { colorScheme: "dark", forcedColors: "none" },
  { colorScheme: "dark", forcedColors: "active" },
] as const;

/**
 * Fails if the page scrolls sideways on a phone or has accessibility violations in the light theme; under
 * `npm run soak` in each theme and in forced colours.
 */
export const expectUsable = (page: Page): Promise<void> =>
  checkAppearances(page, isSoak ? appearances : appearances.slice(0, 1));

/** Does the same in each theme and in forced colours, in every run. Pages that share their parts need this only once. */
export const expectUsableInEveryTheme = (page: Page): Promise<void> => checkAppearances(page, appearances);

async function checkAppearances(page: Page, chosen: readonly (typeof appearances)[number][]): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  // After a link was followed, Next inserts it later than the heading.
  await expect(page).toHaveTitle(/./);
  for (const [index, appearance] of chosen.entries()) {
    // Color transitions would distort the contrast measurement.
    await page.emulateMedia({ ...appearance, reducedMotion: "reduce" });
    await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))));
    // On a busy machine even short transitions take a while.
    await page.waitForFunction(() => !document.getAnimations().some((one) => one instanceof CSSTransition));
    if (appearance.forcedColors === "active") await setTextFill(page, true);
    // These change only colours, so the other rules need no second run.
    await expectAccessible(page, index > 0 ? ["color-contrast"] : undefined);
  }
  if (chosen.length > 1) await setTextFill(page, false);
  await page.emulateMedia({ forcedColors: "none" });
  const size = page.viewportSize()!;
  await page.setViewportSize({ width: 360, height: 720 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await page.setViewportSize(size);
}

/** Sets the property that axe reads for the colour of a text: Chrome reports it as if colours were not forced. */
const setTextFill = (page: Page, isSet: boolean): Promise<void> =>
  page.evaluate((isSet) => {
    const elements = [...document.querySelectorAll<HTMLElement>("body *")];
    const colours = elements.map((one) => (isSet ? getComputedStyle(one).color : ""));
    for (const [index, { style }] of elements.entries()) style.setProperty("-webkit-text-fill-color", colours[index]!);
  }, isSet);

/** Returns what the page has copied. Poll it, because a click does not wait for that. */
export const readClipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
