import { giveSecondFactor } from "./authenticator";
import { expectUsable, signUp } from "./console";
import { grantRole } from "./grants";
import { expect, test } from "./journey";
import { queryHub } from "./query-hub";
import { startHub } from "./server";

// Starts its own hub, because the catalogue and an announcement affect every account.
test.setTimeout(150_000);

const poster = (price: string) => `models:
  - id: poster
    name: Poster
    output_modalities: [image]
    parameters_schema: { type: object, required: [prompt], properties: { prompt: { type: string } } }
    pricing_tiers:
      - { match: {}, price_usd: ${price} }
    routes:
      - { provider: sandbox }
`;

const chat = `providers: [{ id: openai, kind: openai, base_url: "https://api.openai.com/v1", api_key: "\${OPENAI_NO_KEY}" }]
models:
  - id: sol # ours
    llm: { input_cost_per_million: 2, output_cost_per_million: 10, max_output_tokens: 100 }
    routes: [{ provider: openai, upstream_model: gpt-6.1-sol }]
`;
const cost = { litellm_provider: "openai", input_cost_per_token: 2.5e-6, output_cost_per_token: 1e-5 };
const priceList = {
  name: "list.json",
  mimeType: "application/json",
  buffer: Buffer.from(JSON.stringify({ "gpt-6.1-sol": cost, other: {} })),
};

test("an operator edits a price, applies it, rolls back and syncs prices; an announcement reaches everybody; an auditor reads", async ({
  page,
  browser,
}) => {
  const hub = await startHub({ env: { SIGN_UP: "open" } });
  const person = await signUp(page, hub.url, undefined, "cataloguer");
  const grant = async (email: string, role: "operator" | "auditor") => {
    await grantRole(hub, email, role);
    await giveSecondFactor(hub, email);
  };
  await grant(person.email, "operator");
  await page.goto(`${hub.url}/admin/catalogue`);
  const editor = page.getByLabel("Catalogue as YAML");
  const check = page.getByRole("button", { name: "Check", exact: true });
  const apply = page.getByRole("button", { name: "Apply to all hubs" });
  await editor.fill("models:\n  - id: 7\n");
  await check.click();
  await expect(page.getByText(/Line 2: /).first()).toBeVisible();
  await expect(apply).toHaveCount(0);
  await expectUsable(page);

  const checkText = async (text: string) => {
    await editor.fill(text);
    await check.click();
    await expect(page.getByText("The text is valid.")).toBeVisible();
  };
  const applyChecked = async (reason: string, revision: number) => {
    await page.getByLabel("Reason").fill(reason);
    await apply.click();
    await expect(page.getByText(`Applied as revision ${revision}.`, { exact: true })).toBeVisible();
    // The editor is reset once the page has the new revision.
    await expect(page.getByRole("heading", { name: `Revision ${revision}`, exact: true })).toBeVisible();
  };
  const price = async () => {
    const reply = await page.request.get(`${hub.url}/api/v1/hub/models`, {
      headers: { authorization: `Bearer ${hub.key}` },
    });
    const { data } = (await reply.json()) as { data: { id: string }[] };
    return JSON.stringify(data.find(({ id }) => id === "poster"));
  };
  await checkText(poster("0.05"));
  await applyChecked("First", 1);
  await expect.poll(price).toBeDefined();
  const cheap = await price();
  await checkText(poster("0.07"));
  const settingsChanged = page.getByRole("region", { name: "Check" });
  await expect(settingsChanged.getByRole("deletion").first()).toBeVisible();
  await expect(settingsChanged).toContainText("poster");
  await expectUsable(page);
  await applyChecked("Dearer", 2);
  await expect.poll(price).not.toBe(cheap);
  await page.getByRole("button", { name: "Roll back to revision 1" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill("Too dear");
  await dialog.getByRole("button", { name: "Roll back" }).click();
  await expect(page.getByText("Rolled back as revision 3.", { exact: true })).toBeVisible();
  await expect(editor).toHaveValue(poster("0.05"));
  await expect.poll(price).toBe(cheap);

  await checkText(chat);
  await applyChecked("A text model", 4);
  const compared = page.getByRole("region", { name: "Compare prices" });
  await compared.locator("input[type=file]").setInputFiles(priceList);
  await expect(compared.getByRole("row", { name: /Input 2 2\.3 \+15%/ })).toBeVisible();
  await expectUsable(page);
  await compared.getByRole("button", { name: "Apply prices of sol" }).click();
  await dialog.getByLabel("Reason").fill("New prices");
  await dialog.getByRole("button", { name: "Apply prices" }).click();
  await expect(compared.getByText("All prices agree with the list.")).toBeVisible();
  await expect(editor).toHaveValue(chat.replace("2, output_cost_per_million: 10", "2.3, output_cost_per_million: 9.2"));

  await queryHub(
    hub.dataDir,
    `INSERT INTO route_health (route, provider, opened_at, open_until, reason, changed_at, last_failure_at, last_error)
     VALUES ('openai:gpt-6.1-sol', 'openai', now(), now() + interval '100 seconds', 'outage', now(), now(), 'No response.')`,
  );
  await page.goto(`${hub.url}/admin`);
  const outages = page.getByRole("region", { name: "Outages" });
  await expect(outages).toContainText("Paused for 2 more minutes: provider unreachable");
  await expect(outages).toContainText("Affects sol");
  const atTop = await page.locator("dl").first().boundingBox();
  expect((await outages.boundingBox())!.y).toBeLessThan(atTop!.y);
  await expectUsable(page);
  await outages.getByRole("link", { name: "View providers" }).click();
  await expect(page.getByText("Paused for 2 more minutes: provider unreachable")).toBeVisible();

  await page.goto(`${hub.url}/admin/announcement`);
  await page.getByLabel("Text").fill("We are away on Sunday: https://status.example.org/sunday.");
  await page.getByRole("button", { name: "Announce" }).click();
  await expect(page.getByText("Announcement published.", { exact: true })).toBeVisible();
  await expectUsable(page);
  await page.goto(`${hub.url}/admin/workers`);
  await page.getByRole("button", { name: "Create token" }).click();
  await dialog.getByLabel("Name").fill("gpu-1");
  await dialog.getByRole("button", { name: "Create token" }).click();
  await dialog.getByRole("button", { name: "I have saved it" }).click();
  await page.getByRole("button", { name: "Revoke gpu-1" }).click();
  await page.getByRole("button", { name: "Revoke token" }).click();
  await expect(page.getByText("Token revoked.", { exact: true })).toBeVisible();

  await page.getByRole("link", { name: "Price books" }).click();
  const books = page.getByLabel("Price books as YAML");
  await books.fill("books:\n  - id: partners\n    margin: 2\n");
  await check.click();
  await expect(page.getByText("Line 3: books[0].margin: is not a setting")).toBeVisible();
  await books.fill('books:\n  - id: partners\n    multipliers: [{ models: "sandbox-*", multiplier: 1.5 }]\n');
  await check.click();
  await page.getByLabel("Reason").fill("Partners pay more");
  await apply.click();
  await expect(page.getByRole("table", { name: "Applied books" })).toContainText("sandbox-*: × 1.5");
  await expectUsable(page);
  await page.getByRole("link", { name: "Accounts" }).click();
  await page.getByRole("link", { name: person.email }).click();
  await page.getByRole("button", { name: "Change price book" }).click();
  await dialog.getByRole("combobox", { name: "Price book" }).selectOption("partners");
  await dialog.getByLabel("Reason").fill("A partner");
  await dialog.getByRole("button", { name: "Change price book" }).click();
  await expect(page.getByRole("region", { name: "Balance" })).toContainText("Price book partners");

  const context = await browser.newContext();
  const second = await context.newPage();
  const auditor = await signUp(second, hub.url, "/overview", "auditor");
  await expect(second.getByRole("region", { name: "Announcement" })).toContainText("We are away on Sunday: ");
  await expect(second.getByRole("link", { name: "https://status.example.org/sunday", exact: true })).toBeVisible();
  await grant(auditor.email, "auditor");
  await second.setViewportSize({ width: 1_280, height: 800 });
  await second.reload();
  const sidebar = second.locator("aside");
  await expect(sidebar.getByRole("group", { name: "Manage" })).toBeVisible();
  await expect(sidebar.getByRole("link", { name: "Admin" })).toBeVisible();
  expect(await sidebar.evaluate((one) => one.scrollHeight - one.clientHeight)).toBe(0);
  await second.goto(`${hub.url}/admin/catalogue`);
  await expect(second.getByLabel("Catalogue as YAML")).toHaveAttribute("readonly");
  await expect(second.getByRole("button", { name: /Roll back/ })).toHaveCount(0);
  await second.goto(`${hub.url}/admin/announcement`);
  await expect(second.getByRole("button", { name: "End now" })).toHaveCount(0);
  await context.close();
  // The page polls the workers every few seconds.
  await page.close();
  await hub.stop();
});
