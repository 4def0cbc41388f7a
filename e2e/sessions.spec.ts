import type { Browser, Page } from "@playwright/test";
import { decode, encode } from "next-auth/jwt";
import { SESSION_COOKIE, sessionSecret } from "../server/lib/session-token";
import { fillSignIn, type Person, signInTo, signUp } from "./console";
import { expect, test } from "./journey";

/** Signs up, and signs in with a second browser. */
async function signUpInTwoBrowsers(
  page: Page,
  url: string,
  browser: Browser,
): Promise<{ person: Person; otherPage: Page }> {
  const person = await signUp(page, url);
  const otherPage = await (await browser.newContext()).newPage();
  await signInTo(otherPage, { url, demo: person });
  return { person, otherPage };
}

test("a page without a session redirects to sign in and back", async ({ page, hub, consoleErrors }) => {
  await page.goto(`${hub.url}/keys?from=mail`);
  await expect(page).toHaveURL(`${hub.url}/sign-in?next=%2Fkeys%3Ffrom%3Dmail`);
  await fillSignIn(page, { ...hub.demo, password: "guess" });
  await expect(page.getByRole("alert").filter({ hasText: "is wrong" })).toBeVisible();
  await fillSignIn(page, hub.demo);
  await expect(page).toHaveURL(`${hub.url}/keys?from=mail`);
  // The browser logs the rejected sign-in.
  expect(consoleErrors.every((message) => /401/.test(message))).toBe(true);
  consoleErrors.length = 0;
  await page.goto(`${hub.url}/sign-in`);
  await expect(page).toHaveURL(`${hub.url}/overview`);
});

test("a session that was idle for too long redirects to sign in", async ({ page, hub }) => {
  await signUp(page, hub.url);
  const cookie = (await page.context().cookies()).find(({ name }) => name === SESSION_COOKIE)!;
  const secret = sessionSecret(hub.own.secret);
  const token = (await decode({ token: cookie.value, secret }))!;
  const value = await encode({ token: { ...token, seen: 1 }, secret });
  await page.context().addCookies([{ ...cookie, value }]);
  await page.goto(`${hub.url}/balance`);
  await expect(page).toHaveURL(`${hub.url}/sign-in?next=%2Fbalance`);
});

test("the session cookie has the specified attributes, and stays if signing out fails", async ({
  page,
  hub,
  consoleErrors,
}) => {
  await signUp(page, hub.url, "/overview");
  const cookies = await page.context().cookies();
  expect(cookies.find(({ name }) => name === ".AspNetCore.Cookies")).toMatchObject({
    httpOnly: true,
    sameSite: "Lax",
    secure: false,
    path: "/",
  });
  await page.route("**/api/auth/csrf", (route) => route.abort());
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByText("The hub could not be reached. Try again.", { exact: true })).toBeVisible();
  await page.unroute("**/api/auth/csrf");
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(`${hub.url}/sign-in`);
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain(".AspNetCore.Cookies");
  await page.goto(`${hub.url}/overview`);
  await expect(page).toHaveURL(/\/sign-in/);
  // The browser logs the failed request.
  expect(consoleErrors.every((message) => message.includes("net::ERR_FAILED"))).toBe(true);
  consoleErrors.length = 0;
});

test("signing out everywhere ends sessions with open pages", async ({ page, hub, browser }) => {
  const { otherPage } = await signUpInTwoBrowsers(page, hub.url, browser);
  await otherPage.goto(`${hub.url}/keys`);

  await page.goto(`${hub.url}/settings`);
  await page.getByRole("button", { name: "Sign out everywhere" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(`${hub.url}/sign-in`);

  await otherPage.getByRole("button", { name: "Create key" }).click();
  await otherPage.getByRole("dialog").getByLabel("Name").fill("late");
  await otherPage.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
  await expect(otherPage).toHaveURL(`${hub.url}/sign-in?next=%2Fkeys`);
  await otherPage.context().close();
});

test("one session can be ended on a phone and by keyboard", async ({ page, hub, browser }) => {
  const { otherPage } = await signUpInTwoBrowsers(page, hub.url, browser);
  await page.goto(`${hub.url}/settings`);
  await page.getByRole("link", { name: "View sessions" }).click();
  await expect(page).toHaveURL(`${hub.url}/settings/sessions`);
  await expect(page.getByText("This browser", { exact: true })).toBeVisible();
  await expect(page.getByRole("row")).toHaveCount(3);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: /^End session of Chrome/ }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alertdialog").getByRole("button", { name: "Cancel" })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Session ended.", { exact: true })).toBeVisible();
  await expect(page.getByRole("row")).toHaveCount(2);

  await otherPage.goto(`${hub.url}/keys`);
  await expect(otherPage).toHaveURL(/\/sign-in/);
  await otherPage.context().close();

  await page.getByRole("button", { name: "Sign out of this browser" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(`${hub.url}/sign-in`);
});

test("changing the password ends other sessions and applies to the next sign-in", async ({ page, hub, browser }) => {
  const { person, otherPage } = await signUpInTwoBrowsers(page, hub.url, browser);

  await page.goto(`${hub.url}/settings`);
  await page.getByLabel("Current password").fill(person.password);
  await page.getByLabel("New password").fill("another horse");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("Password changed. You are signed out on other devices.", { exact: true })).toBeVisible();
  await page.goto(`${hub.url}/keys`);
  await expect(page).toHaveURL(`${hub.url}/keys`);

  await otherPage.goto(`${hub.url}/keys`);
  await expect(otherPage).toHaveURL(/\/sign-in/);
  await fillSignIn(otherPage, { ...person, password: "another horse" });
  await expect(otherPage).toHaveURL(`${hub.url}/keys`);
  await otherPage.context().close();
});
