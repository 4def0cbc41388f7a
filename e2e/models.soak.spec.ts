import { writeFile } from "node:fs/promises";
import { signUp } from "./console";
import { expect, test } from "./journey";
import { observeShifts } from "./observe-shifts";

test("a price of a unit says what it is multiplied by", async ({ page, hub }, testInfo) => {
  const file = testInfo.outputPath("models.yaml");
  await writeFile(
    file,
    `
models:
  - id: posters
    name: Posters
    output_modalities: [image]
    pricing: { per: image, times: count, tiers: [{ match: {}, price_usd: 0.01, next_price_usd: 0.005 }] }
    parameters_schema:
      type: object
      required: [prompt]
      properties: { prompt: { type: string }, count: { type: integer, minimum: 1, maximum: 4, default: 2 } }
    routes: [{ provider: sandbox, set: { resolution: 1k }, accepts: { count: [1, 2, 3] } }]
  - id: agent
    name: Agent
    llm:
      input_cost_per_million: 4
      cached_input_cost_per_million: 0.2
      cache_write_cost_per_million: 5
      output_cost_per_million: 20
      service_tiers: { priority: 2 }
      max_output_tokens: 1000
    routes: [{ provider: sandbox }]
`,
  );
  await hub.runCommand("catalogue", "add", file);
  await signUp(page, hub.url);
  await expect(async () => {
    await page.goto(`${hub.url}/models`);
    await expect(page.getByRole("listitem").filter({ hasText: "Posters" })).toContainText("€0.0092 per image");
  }).toPass();
  await page.getByRole("link", { name: "Posters" }).click();
  const price = page.getByRole("region", { name: "Price", exact: true });
  await expect(price).toContainText("€0.0092 per image");
  await expect(price).toContainText("then €0.0046");
  const calculator = page.getByRole("region", { name: "Price calculator" });
  await expect(calculator.getByRole("status")).toContainText("Up to");
  await expect(calculator.getByRole("status")).toContainText("€0.0138");
  await calculator.getByLabel("count").fill("3");
  await expect(calculator.getByRole("status")).toContainText("€0.0184");

  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  const shift = await observeShifts(page);
  await expect(calculator.getByRole("status")).toContainText("€0.0138");
  expect(await shift()).toBeLessThan(0.01);

  await page.goto(`${hub.url}/models/agent`);
  const tokens = page.getByRole("region", { name: "Cost by tokens" });
  await tokens.getByLabel("New input").fill("12");
  await tokens.getByLabel("Cached input").fill("1000");
  await tokens.getByLabel("Written to the cache").fill("100");
  await tokens.getByLabel("Output").fill("20");
  await expect(tokens.getByRole("status")).toContainText("€0.001148");
  await tokens.getByLabel("Service tier").selectOption("priority");
  await expect(tokens.getByRole("status")).toContainText("€0.002296");
});
