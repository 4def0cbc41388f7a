import { expectAccessible, expectUsable, requestKey, signUp } from "./console";
import { grantCredit } from "./grants";
import { expect, test } from "./journey";
import { queryHub } from "./query-hub";
import { seedSpend } from "./seed-spend";

const dayFormat = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" });

test("the overview shows spend by day, model and key", async ({ page, hub, request }) => {
  // An account of its own: other journeys delete files of the demo account while its overview shows them.
  const { email } = await signUp(page, hub.url);
  await grantCredit(hub, email, 5);
  const { key } = await requestKey(page, hub.url, "laptop");
  const headers = { Authorization: `Bearer ${key}` };
  const data = { model: "sandbox-image", input: { prompt: "a picture to count" } };
  expect((await request.post(`${hub.url}/api/v1/hub/generations`, { headers, data })).status()).toBe(202);
  await page.goto(`${hub.url}/overview`);
  await expect(page.getByRole("row", { name: /a picture to count/ }).first()).toContainText("Succeeded");

  const spend = page.getByRole("region", { name: "Spend", exact: true });
  await expect(spend.getByRole("list", { name: "Spend by model" })).toContainText("sandbox-image");
  await expect(spend.getByRole("list", { name: "Spend by key" })).toContainText("laptop");
  await spend.getByRole("radio", { name: "7 days" }).click();
  await expect(page).toHaveURL(`${hub.url}/overview?days=7`);
  await expect(spend).toContainText("in the last 7 days");
  await spend.getByText("Show as table").click();
  const today = spend.getByRole("row", { name: dayFormat.format(new Date()) });
  await expect(today).toContainText(/€0\.\d+/);
  const drawn = spend.locator("[data-day]").last();
  await drawn.hover();
  await expect(drawn).toContainText(/billed/);
  await page.reload();
  await expect(spend.getByRole("radio", { name: "7 days" })).toBeChecked();
});

// An account always has an owner, who is somebody else from now on.
const handOverSql = `
  WITH other AS (INSERT INTO person (email, created_at) VALUES ('owner-of-' || $1, now()) RETURNING id),
  owner AS (
    INSERT INTO membership (account_id, person_id, role, created_at)
    SELECT account.id, other.id, 'owner', now() FROM account, other WHERE account.email = $1
  )
  UPDATE membership SET role = 'billing' FROM person WHERE person.id = person_id AND person.email = $1`;

test("a month of charges shows how long the credit lasts, and the role billing what it cost alone", async ({
  page,
  hub,
}) => {
  const { email } = await signUp(page, hub.url);
  await seedSpend(hub.dataDir, email);
  await page.goto(`${hub.url}/overview`);
  const forecast = page.getByText(/^At the pace of the last 7 days, your credit lasts about \d+ days\.$/);
  await expect(forecast).toBeVisible();
  const spend = page.getByRole("region", { name: "Spend", exact: true });
  await expect(spend).toContainText("(UTC)");
  const days = spend.getByRole("list", { name: /^Spend by day/ }).getByRole("listitem");
  await expect(days).toHaveCount(30);
  await spend.getByText("Show as table").click();
  await expect(spend.getByRole("table", { name: "Spend by day" }).locator("tbody tr")).toHaveCount(25);
  await expectUsable(page);

  // Bars have no text that axe could compare: in forced colours they differ from the page by their own colour.
  await page.emulateMedia({ forcedColors: "active" });
  const [bar, ground] = await days.last().evaluate((day) => {
    const colourOf = (element: Element) => getComputedStyle(element).backgroundColor;
    return [colourOf(day.querySelector("a > span")!), colourOf(document.body)];
  });
  expect(bar).not.toBe(ground);
  await page.emulateMedia({ forcedColors: "none" });

  await page.goto(`${hub.url}/balance`);
  await expect(forecast).toBeVisible();
  const charges = page.getByRole("region", { name: "Statement" }).getByRole("table");
  await expect(charges.getByRole("link").first()).toHaveText(/^A boat, number/);

  await queryHub(hub.dataDir, handOverSql, [email]);
  await page.reload();
  await expect(charges).toContainText("sandbox-image");
  await expect(charges).not.toContainText("A boat, number");
  await expect(charges.getByRole("link")).toHaveCount(0);
  await page.goto(`${hub.url}/usage`);
  const series = page.getByRole("table", { name: "Usage" });
  await expect(series).toContainText("sandbox-image");
  await expect(series.getByRole("link")).toHaveCount(0);
  await page.goto(`${hub.url}/overview`);
  await expect(days).toHaveCount(30);
  await expect(spend.getByRole("link")).toHaveText(["end user", "member"]);
  await expectAccessible(page);
});
