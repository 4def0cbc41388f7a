import { writeFile } from "node:fs/promises";
import { requestKey, signUp } from "./console";
import { grantCredit } from "./grants";
import { expect, test } from "./journey";
import { queryHub } from "./query-hub";

const BOOKS = `
books:
  - { id: partners, multipliers: [{ models: sandbox-image, multiplier: 1.333333 }] }
  - { id: fixed, fixed: [{ model: sandbox-image, pricing_tiers: [{ match: {}, price_usd: 0.007 }] }] }
  - id: volume
    multipliers: [{ models: sandbox-image, multiplier: 2 }]
    volume_discounts: [{ from: 0.001, discount: 0.1 }]
`;
const explanations = [
  "0.01333333 USD per generation, 0.92 EUR per USD; book partners, revision 1",
  "0.007 USD per generation, 0.92 EUR per USD; book fixed, revision 1; fixed price",
  "0.018 USD per generation, 0.92 EUR per USD; book volume, revision 1; 10 % volume discount",
];

test("three books in one day are three explained prices", async ({ page, hub, request }, testInfo) => {
  const file = testInfo.outputPath("books.yaml");
  await writeFile(file, BOOKS);
  await hub.runCommand("book", "apply", file);
  const { email } = await signUp(page, hub.url);
  await grantCredit(hub, email, 5);
  const headers = { Authorization: `Bearer ${(await requestKey(page, hub.url, "script")).key}` };
  const data = { model: "sandbox-image", input: { prompt: "a pier" } };
  for (const book of ["partners", "fixed", "volume"]) {
    await queryHub(hub.dataDir, "UPDATE account SET book = $2 WHERE email = $1", [email, book]);
    const created = await request.post(`${hub.url}/api/v1/hub/generations`, { headers, data });
    expect(created.status()).toBe(202);
    const { id } = (await created.json()) as { id: string };
    const status = async () => {
      const response = await request.get(`${hub.url}/api/v1/hub/generations/${id}`, { headers });
      return ((await response.json()) as { status: string }).status;
    };
    await expect.poll(status, { timeout: 30_000 }).toBe("succeeded");
  }

  await page.goto(`${hub.url}/balance`);
  const statement = page.getByRole("region", { name: "Statement" });
  for (const [index, explanation] of explanations.entries()) {
    const row = statement.getByRole("row", { name: explanation });
    await expect(row).toHaveCount(1);
    await expect(row).toContainText(["-€0.012266664", "-€0.006440000", "-€0.016560000"][index]!);
  }
});
