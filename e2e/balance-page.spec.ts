import { readFile } from "node:fs/promises";
import { signInTo, signUp } from "./console";
import { expect, test } from "./journey";

test("the statement filters by kind and day and exports as CSV", async ({ page, hub, request }) => {
  const headers = { Authorization: `Bearer ${hub.key}` };
  const data = { model: "sandbox-text", messages: [{ role: "user", content: "hello" }] };
  expect((await request.post(`${hub.url}/api/v1/hub/chat/completions`, { headers, data })).status()).toBe(200);
  const waiting = { model: "sandbox-image", input: { prompt: "held", image_input: [`sha256:${"cd".repeat(32)}`] } };
  expect((await request.post(`${hub.url}/api/v1/hub/generations`, { headers, data: waiting })).status()).toBe(202);

  await signInTo(page, hub, "/balance");
  const statement = page.getByRole("region", { name: "Statement" });
  await expect(statement.getByRole("row", { name: /hello sandbox-text · Key “demo”/ }).first()).toBeVisible();
  await expect(page.getByRole("row", { name: /Awaiting files/ }).first()).toContainText("€0.0092");

  const file = page.waitForEvent("download");
  await statement.getByRole("link", { name: "Export CSV" }).click();
  const [head, ...rows] = (await readFile(await (await file).path(), "utf8")).trimEnd().split("\r\n");
  expect(head).toBe(
    "time,entry,kind,amount_eur,balance_eur,generation,model,reference,note,input_tokens,cached_input_tokens,cache_write_tokens,output_tokens,reasoning_tokens,end_user,metadata,promotional_eur,price",
  );
  expect(rows.at(-1)).toMatch(/,credit,25,25,,,demo,/);

  await page.getByLabel("Kind").selectOption("Credit");
  await expect(statement.getByRole("row")).toHaveCount(2);
  await expect(statement.getByRole("row", { name: /Credit/ })).toContainText("+€25.00");
  await page.getByLabel("Dates").selectOption("Custom");
  await page.getByLabel("To", { exact: true }).fill("2020-01-01");
  await expect(statement).toContainText("No transactions match these filters.");
  await expect(page).toHaveURL(`${hub.url}/balance?kind=credit&to=2020-01-01`);
});

test("an account without credit has an empty statement, and the export requires a session", async ({
  page,
  hub,
  request,
}) => {
  await signUp(page, hub.url);
  await page.goto(`${hub.url}/balance`);
  await expect(page.getByRole("heading", { name: "No transactions yet" })).toBeVisible();
  const reply = await request.get(`${hub.url}/balance/export`, { maxRedirects: 0 });
  expect(reply.status()).toBe(307);
  expect(reply.headers().location).toContain("/sign-in");
});
