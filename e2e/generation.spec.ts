import { signLink } from "../server/domain/input-files/signed-url";
import { expect, test } from "./journey";
import { queryHub } from "./query-hub";

interface Generation {
  id: string;
  status: string;
  billed_cost: number | null;
  outputs: { url: string; media_type: string }[];
}

test("an output created through the API opens as a picture", async ({ page, hub, request }) => {
  const headers = { Authorization: `Bearer ${hub.key}` };
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
  const { url, media_type } = outputs[0]!;
  const link = signLink(hub.own, url.split("/").at(-1)!, new Date(Date.now() + 60_000));
  expect((await request.get(url)).status()).toBe(401);
  expect((await request.get(link)).headers()["content-type"]).toBe(media_type);
  await page.goto(hub.url);
  const [width, height] = await page.evaluate(async (src) => {
    const picture = document.body.appendChild(document.createElement("img"));
    picture.src = src;
    await picture.decode();
    return [picture.naturalWidth, picture.naturalHeight];
  }, link);
  expect([width, height]).toEqual([1344, 756]);

  // Not by the balance, which generations of earlier journeys may still change.
  const entries = await queryHub<{ amount: string }>(
    hub.dataDir,
    "SELECT amount::text FROM ledger_entry WHERE generation_id = $1",
    [id],
  );
  expect(entries.map(({ amount }) => Number(amount) / 1e9)).toEqual([-billed_cost!]);
});
