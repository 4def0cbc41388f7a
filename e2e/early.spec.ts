import type { Person } from "./console";
import { expect, test } from "./journey";
import { openEarly, recordRequests, type } from "./open-early";
import { queryHub } from "./query-hub";

test("passwords entered before hydration are kept and never sent in a URL", async ({ page, hub }) => {
  const requested = recordRequests(page);
  const typed = async (path: string, fields: Record<string, string>, name: string) => {
    const releaseScripts = await openEarly(page, hub.url + path);
    for (const [label, text] of Object.entries(fields)) await type(page, label, text);
    await page.getByLabel(Object.keys(fields).at(-1)!).press("Enter");
    releaseScripts();
    await expect(page.getByRole("button", { name })).toBeEnabled();
    await expect(page).toHaveURL(hub.url + path);
    for (const [label, text] of Object.entries(fields)) await expect(page.getByLabel(label)).toHaveValue(text);
  };
  const person: Person = { email: `early-${Date.now()}@example.org`, password: "correct-horse" };
  await queryHub(
    hub.dataDir,
    `INSERT INTO password_reset (person_id, hash, created_at, expires_at)
     SELECT id, sha256('x'), now(), now() + interval '1 hour' FROM person WHERE email = $1`,
    [hub.demo.email],
  );
  await typed("/reset-password?token=x", { "New password": person.password }, "Set password");
  await typed("/sign-up", { "E-mail": person.email, Password: person.password }, "Create account");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page).toHaveURL(`${hub.url}/overview`);
  const changed = { "Current password": person.password, "New password": "another-horse" };
  await typed("/settings", changed, "Change password");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("Password changed.", { exact: false }).first()).toBeVisible();
  expect(requested.filter((url) => /(correct|another)-horse/.test(url))).toEqual([]);
  await page.goto(`${hub.url}/reset-password?token=y`);
  await expect(page.getByText("This link was used already or has expired.")).toBeVisible();
  await expect(page.getByLabel("New password")).toHaveCount(0);
});
