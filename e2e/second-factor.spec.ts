import type { Browser, Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { addAuthenticator } from "./authenticator";
import { expectUsable, fillSignIn, signUp } from "./console";
import { grantRole } from "./grants";
import { expect, test } from "./journey";
import { queryHub } from "./query-hub";

/** A code works once, so each use takes that of a later step; the code of the next step is accepted already. */
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

async function signInAnew(browser: Browser, url: string, person: { email: string; password: string }, path: string) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${url}/sign-in?next=${encodeURIComponent(path)}`);
  await fillSignIn(page, person);
  await expect(page).toHaveURL(`${url}/sign-in/verify?next=${encodeURIComponent(path)}`);
  return page;
}

/** Returns the recovery codes that the page shows. */
async function readCodes(page: Page): Promise<string[]> {
  const list = page.getByRole("list", { name: "Recovery codes" });
  await expect(list).toBeVisible();
  return list.getByRole("listitem").allTextContents();
}

test("a person adds a passkey and an app, and signs in with either or a recovery code", async ({
  page,
  hub,
  browser,
  consoleErrors,
}) => {
  const person = await signUp(page, hub.url);
  await addAuthenticator(page);
  await page.goto(`${hub.url}/settings/security`);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByLabel("Name of the passkey").fill("Test laptop");
  await page.getByRole("button", { name: "Create passkey" }).click();
  const dialog = page.getByRole("dialog", { name: "Your recovery codes" });
  await expect(dialog).toBeVisible();
  const codes = await readCodes(page);
  expect(new Set(codes).size).toBe(10);
  const download = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Download" }).click();
  expect((await download).suggestedFilename()).toBe("generation-hub-recovery-codes.txt");
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText("Test laptop")).toBeVisible();
  await expect(page.getByText("10 codes are left.")).toBeVisible();

  await page.getByRole("button", { name: "Set up" }).click();
  const setUp = page.getByRole("dialog", { name: "Set up an authenticator app" });
  const secret = (await setUp.getByLabel("Key", { exact: true }).textContent())!.replaceAll(" ", "");
  await expect(setUp.getByRole("img", { name: "QR code" })).toBeVisible();
  await expect(setUp.getByLabel("Code from your authenticator app")).toBeFocused();
  await setUp.getByLabel("Code from your authenticator app").fill(codeOf(secret));
  await setUp.getByRole("button", { name: "Turn on" }).click();
  await expect(page.getByText("Authenticator app set up.", { exact: true })).toBeVisible();
  await expectUsable(page);

  // By the passkey, which the browser keeps.
  await page.context().clearCookies();
  await page.goto(`${hub.url}/sign-in?next=%2Fkeys`);
  await fillSignIn(page, person);
  await expect(page).toHaveURL(`${hub.url}/sign-in/verify?next=%2Fkeys`);
  expect((await page.request.get(`${hub.url}/api/trpc/account.get`)).status()).toBe(401);
  expect(await (await page.request.get(`${hub.url}/api/auth/session`)).json()).toMatchObject({
    user: { email: person.email },
  });
  await page.getByRole("button", { name: "Continue with a passkey" }).click();
  await expect(page).toHaveURL(`${hub.url}/keys`);

  // By a code, which works once.
  const other = await signInAnew(browser, hub.url, person, "/files");
  await expectUsable(other);
  await other.goto(`${hub.url}/files`);
  await expect(other).toHaveURL(`${hub.url}/sign-in/verify?next=%2Ffiles`);
  await other.getByRole("button", { name: "Use your authenticator app" }).click();
  const field = other.getByLabel("Code from your authenticator app");
  const code = codeOf(secret, 1);
  await field.fill("000000");
  await other.getByRole("button", { name: "Continue" }).click();
  await expect(field).toHaveAccessibleDescription(/wrong or was used before/);
  await field.fill(code);
  await other.getByRole("button", { name: "Continue" }).click();
  await expect(other).toHaveURL(`${hub.url}/files`);

  // By a recovery code, which lets them remove the app.
  const third = await signInAnew(browser, hub.url, person, "/settings/security");
  await third.getByRole("button", { name: "Use a recovery code" }).click();
  await third.getByLabel("Recovery code").fill(codes[0]!.toUpperCase());
  await third.getByRole("button", { name: "Continue" }).click();
  await expect(third).toHaveURL(`${hub.url}/settings/security`);
  await expect(third.getByText("9 codes are left.")).toBeVisible();
  await third.getByRole("button", { name: "Remove the authenticator app" }).click();
  await third.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await expect(third.getByText("Authenticator app removed.", { exact: true })).toBeVisible();
  await other.context().close();
  await third.context().close();
  expect(consoleErrors).toEqual([]);
});

test("a change needs a proof of the last ten minutes, and is repeated after it", async ({
  page,
  hub,
  consoleErrors,
}) => {
  const person = await signUp(page, hub.url);
  await addAuthenticator(page);
  await page.goto(`${hub.url}/settings/security`);
  const age = () =>
    queryHub(
      hub.dataDir,
      `UPDATE session SET first_step_at = first_step_at - interval '1 hour', verified_at = verified_at - interval '1 hour'
       WHERE person_id = (SELECT id FROM person WHERE email = $1)`,
      [person.email],
    );
  await age();
  const proof = page.getByRole("dialog", { name: "Confirm it’s you" });
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByRole("button", { name: "Create passkey" }).click();
  await expect(proof).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("alert").filter({ hasText: "Confirm that it’s you" })).toBeVisible();
  await page.getByRole("button", { name: "Create passkey" }).click();
  await proof.getByLabel("Password").fill(person.password);
  await proof.getByRole("button", { name: "Continue" }).click();
  await page
    .getByRole("dialog", { name: "Your recovery codes" })
    .getByRole("button", { name: "I have saved them" })
    .click();

  await age();
  await page.getByRole("checkbox", { name: "Require a second factor" }).click();
  await proof.getByRole("button", { name: "Continue with a passkey" }).click();
  await expect(page.getByText("Members now need a second factor.", { exact: true })).toBeVisible();
  await expect(page.getByRole("checkbox", { name: "Require a second factor" })).toBeChecked();
  await page.getByRole("button", { name: "Remove Passkey" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await expect(
    page.getByText("You need a second factor. Add another one before you remove this one.", { exact: true }),
  ).toBeVisible();
  // The browser logs what was rejected.
  expect(consoleErrors.every((message) => /40[39]/.test(message))).toBe(true);
  consoleErrors.length = 0;
});

test("an operator without a second factor can only set one up", async ({ page, hub }) => {
  const person = await signUp(page, hub.url);
  await grantRole(hub, person.email, "operator");
  await page.goto(`${hub.url}/overview`);
  await expect(page).toHaveURL(`${hub.url}/sign-in/enrol?next=%2Foverview`);
  await expectUsable(page);
  await page.getByRole("button", { name: "Use an authenticator app" }).click();
  const secret = (await page.getByLabel("Key", { exact: true }).textContent())!.replaceAll(" ", "");
  await expectUsable(page);
  await page.getByLabel("Code from your authenticator app").fill(codeOf(secret));
  await page.getByRole("button", { name: "Turn on" }).click();
  expect(await readCodes(page)).toHaveLength(10);
  await expectUsable(page);
  await page.getByRole("button", { name: "I have saved them" }).click();
  await expect(page).toHaveURL(`${hub.url}/overview`);

  // What the page asks for meanwhile would be rejected.
  await page.goto("about:blank");
  await hub.runCommand("person", "reset-factors", "--email", person.email);
  await page.goto(`${hub.url}/overview`);
  await expect(page).toHaveURL(/\/sign-in\?next/);
});
