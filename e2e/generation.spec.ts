import { expect, test } from "./journey";

interface Generation {
  id: string;
  status: string;
  billed_cost: number | null;
  outputs: { url: string; media_type: string }[];
}

test("a generation made by the API opens as a picture", async ({ page, hub, request }) => {
  const headers = { Authorization: `Bearer ${hub.key}` };
  const before = (await (await request.get(`${hub.url}/api/v1/me`, { headers })).json()) as { balance: number };
  const accepted = await request.post(`${hub.url}/api/v1/hub/generations`, {
    headers,
    data: { model: "sandbox-image", input: { prompt: "a lighthouse at dawn", aspect_ratio: "16:9" } },
  });
  expect(accepted.status()).toBe(202);
  const { id } = (await accepted.json()) as Generation;
  const read = async () =>
    (await (await request.get(`${hub.url}/api/v1/hub/generations/${id}`, { headers })).json()) as Generation;
  await expect.poll(async () => (await read()).status).toBe("succeeded");

  const { outputs, billed_cost } = await read();
  await page.setExtraHTTPHeaders(headers);
  const response = await page.goto(outputs[0]!.url);
  expect(response!.headers()["content-type"]).toBe(outputs[0]!.media_type);
  const picture = page.locator("img");
  await expect(picture).toBeVisible();
  const [width, height] = await picture.evaluate((img: HTMLImageElement) => [img.naturalWidth, img.naturalHeight]);
  expect(width! / height!).toBeCloseTo(16 / 9, 1);

  const after = (await (await request.get(`${hub.url}/api/v1/me`, { headers })).json()) as { balance: number };
  expect(after.balance).toBeCloseTo(before.balance - billed_cost!, 9);
});
