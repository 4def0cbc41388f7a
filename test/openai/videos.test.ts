import { randomBytes } from "node:crypto";
import OpenAI, { toFile } from "openai";
import sharp from "sharp";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { type Customer, newCustomer } from "../api/customer";
import { openRunningHost } from "../api/hosts";
import { catalogueOf } from "../catalogue";

const host = await openRunningHost();
const baseURL = `${host.url}/v1`;
const model = "sandbox-video";
// Another name for each parameter, as other providers have them.
const [clip, silent] = catalogueOf(`
  - id: clip
    output_modalities: [video]
    parameters_schema:
      type: object
      required: [prompt]
      properties:
        prompt: { type: string, maxLength: 100 }
        duration: { enum: ["1s", "2s"], default: "1s" }
        aspect_ratio: { enum: ["16:9", "9:16", "1:1"] }
        resolution: { enum: [480p, 720p, 1080p] }
        first_image: { type: string, format: uri }
    pricing_tiers: [{ match: {}, price_usd: 0.01 }]
    routes: [{ provider: first, upstream_model: sandbox-video }]
  - id: plain
    output_modalities: [video]
    parameters_schema: { type: object, properties: { prompt: { type: string, maxLength: 100 } } }
    pricing_tiers: [{ match: {}, price_usd: 0.01 }]
    routes: [{ provider: first, upstream_model: sandbox-video }]`).values();
host.hub.catalogue = new Map([...host.hub.catalogue, [clip!.id, clip!], [silent!.id, silent!]]);

let customer: Customer;
let client: OpenAI;
const clientOf = ({ key }: Customer) => new OpenAI({ baseURL, apiKey: key });
beforeEach(async () => {
  customer = await newCustomer(host.hub);
  client = clientOf(customer);
});
afterAll(async () => {
  expect((await runAudit(host.hub.db)).violations).toEqual([]);
});

const send = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${baseURL}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${customer.key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
const rows = () =>
  host.hub.db.query<{ id: string; status: string; input: Record<string, unknown> }>(
    "SELECT id, status, input FROM generation WHERE account_id = $1 ORDER BY id",
    [customer.account],
  );
const charges = () =>
  host.hub.db.query("SELECT FROM ledger_entry WHERE account_id = $1 AND kind = 'charge'", [customer.account]);
/** Returns a picture that is larger than any other text of a form may be. */
const drawPicture = () =>
  sharp(randomBytes(3 * 200 ** 2), { raw: { width: 200, height: 200, channels: 3 } })
    .png()
    .toBuffer();
/** Returns a video once it has the status. */
async function waitFor(id: string, status: OpenAI.Video["status"]): Promise<OpenAI.Video> {
  await expect.poll(async () => (await client.videos.retrieve(id)).status, { timeout: 20_000 }).toBe(status);
  return client.videos.retrieve(id);
}
const statusOf = (call: Promise<unknown>) =>
  call.then(
    () => 200,
    (error: InstanceType<typeof OpenAI.APIError>) => error.status,
  );

describe("a video", () => {
  test("is created, polled, downloaded and deleted with the official SDK, and charged once", async () => {
    const { data: created, response } = await client.videos
      .create({ model, prompt: "a harbour", seconds: "1" as "4", size: "1280x720" })
      .withResponse();
    expect(created).toMatchObject({ object: "video", model, seconds: "1", size: "1280x720", prompt: "a harbour" });
    expect(["queued", "in_progress"]).toContain(created.status);
    expect(created).toMatchObject({ error: null, completed_at: null, remixed_from_video_id: null });
    expect(response.headers.get("x-generation-id")).toBe(created.id);

    const done = await waitFor(created.id, "completed");
    expect(done).toMatchObject({ progress: 100, created_at: created.created_at });
    expect(done.completed_at).toBeGreaterThanOrEqual(done.created_at);
    expect(done.expires_at).toBeGreaterThan(done.completed_at!);
    const [row, ...others] = await rows();
    expect([row, others]).toMatchObject([{ id: created.id, input: { seconds: 1, size: "1280x720" } }, []]);

    const content = await client.videos.downloadContent(created.id);
    expect(content.headers.get("content-type")).toBe("video/webm");
    expect(content.headers.get("x-generation-id")).toBe(created.id);
    const bytes = Buffer.from(await content.arrayBuffer());
    expect(bytes.readUInt32BE()).toBe(0x1a45dfa3);
    const part = await client.videos.downloadContent(created.id, {}, { headers: { range: "bytes=0-3" } });
    expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, bytes.subarray(0, 4)]);

    const deleted = { id: created.id, object: "video.deleted", deleted: true };
    expect(await client.videos.delete(created.id)).toEqual(deleted);
    expect(await statusOf(client.videos.retrieve(created.id))).toBe(404);
    expect(await statusOf(client.videos.downloadContent(created.id))).toBe(404);
    expect(await statusOf(client.videos.delete(created.id))).toBe(404);
    expect((await client.videos.list()).data).toEqual([]);
    // The generation and its charge stay, its content is gone.
    expect(await charges()).toHaveLength(1);
    const headers = { authorization: `Bearer ${customer.key}` };
    const files = await fetch(`${host.url}/api/v1/hub/files`, { headers });
    expect(await files.json()).toMatchObject({ data: [] });
    const generation = await fetch(`${host.url}/api/v1/hub/generations/${created.id}`, { headers });
    expect(await generation.json()).toMatchObject({ status: "succeeded" });
  });

  test("starts from a picture of the form, a data URL, or a file of the account", async () => {
    const picture = await drawPicture();
    const options = { model, prompt: "a harbour", seconds: "1" as "4" };
    const file = await toFile(picture, "a.png", { type: "image/png" });
    const image_url = `data:image/png;base64,${picture.toString("base64")}`;
    const ofForm = await client.videos.create({ ...options, input_reference: file });
    await client.videos.create({ ...options, input_reference: { image_url } });
    const [{ id: file_id }] = (await host.hub.db.query<{ id: string }>("SELECT id FROM file WHERE account_id = $1", [
      customer.account,
    ])) as [{ id: string }];
    await client.videos.create({ ...options, input_reference: { file_id } });
    expect((await send("/videos", { ...options, input_reference: { file_id } })).status).toBe(200);
    const references = (await rows()).map(({ input }) => input.input_reference);
    expect(references).toEqual(Array(4).fill(`${host.hub.env.BASE_URL}/api/v1/hub/files/${file_id}`));
    await waitFor(ofForm.id, "completed");
  });

  test("that fails costs nothing, and says why", async () => {
    const { id } = await client.videos.create({ model, prompt: "[fail]" });
    const failed = await waitFor(id, "failed");
    expect(failed.error).toEqual({ code: "provider_error", message: "The prompt says [fail]." });
    expect(failed).toMatchObject({ seconds: "4", size: "720x1280", expires_at: null });
    expect(failed.completed_at).toBeGreaterThan(0);
    expect(await statusOf(client.videos.downloadContent(id))).toBe(409);
    expect(await charges()).toEqual([]);
    expect(await client.videos.delete(id)).toMatchObject({ deleted: true });
  });

  test("in progress has no content yet and cannot be deleted", async () => {
    const { id } = await client.videos.create({ model, prompt: "[hang]" });
    const running = await waitFor(id, "in_progress");
    expect(running).toMatchObject({ completed_at: null, error: null });
    const download = await client.videos.downloadContent(id).catch((error: unknown) => error);
    expect(download).toMatchObject({ status: 409, code: "invalid_state" });
    const removal = await client.videos.delete(id).catch((error: unknown) => error);
    expect(removal).toMatchObject({ status: 409, code: "generation_not_cancelable" });
    expect(await client.videos.retrieve(id)).toMatchObject({ status: "in_progress" });
  });

  test("that waits for a file is queued; deleting it cancels it and releases its hold", async () => {
    const input_reference = { image_url: `sha256:${"0".repeat(64)}` };
    const { id, status } = await client.videos.create({ model, prompt: "a harbour", input_reference });
    expect(status).toBe("queued");
    expect(await client.videos.delete(id)).toMatchObject({ id, deleted: true });
    expect(await statusOf(client.videos.retrieve(id))).toBe(404);
    expect(await rows()).toMatchObject([{ status: "canceled" }]);
    const [account] = await host.hub.db.query("SELECT reserved FROM account WHERE id = $1", [customer.account]);
    expect(account).toEqual({ reserved: 0n });
  });

  test("that was canceled elsewhere has failed", async () => {
    const input_reference = { image_url: `sha256:${"1".repeat(64)}` };
    const { id } = await client.videos.create({ model, prompt: "a harbour", input_reference });
    const headers = { authorization: `Bearer ${customer.key}` };
    await fetch(`${host.url}/api/v1/hub/generations/${id}/cancel`, { method: "POST", headers });
    expect(await client.videos.retrieve(id)).toMatchObject({ status: "failed", error: { code: "canceled" } });
  });
});

describe("parameters", () => {
  test("become those of the model, and are shown as asked", async () => {
    const picture = await toFile(await drawPicture(), "a.png", { type: "image/png" });
    const video = await client.videos.create({
      model: "clip",
      prompt: "a harbour",
      seconds: "2" as "4",
      size: "1280x720",
      input_reference: picture,
    });
    expect(video).toMatchObject({ seconds: "2", size: "1280x720" });
    const [row] = await rows();
    expect(row!.input).toEqual({
      prompt: "a harbour",
      duration: "2s",
      aspect_ratio: "16:9",
      resolution: "720p",
      first_image: expect.stringContaining("/api/v1/hub/files/") as string,
    });
    const other = await client.videos.create({ model: "plain", prompt: "a" });
    expect(other).toMatchObject({ seconds: null, size: null });
  });

  test.each([
    [{ model: "plain", seconds: "4" }, "seconds"],
    [{ model: "plain", size: "1280x720" }, "size"],
    [{ model: "plain", input_reference: { image_url: "https://example.org/a.png" } }, "input_reference"],
    [{ model: "clip", seconds: "3" }, "seconds"],
    [{ model: "clip", seconds: "1", duration: "1s" }, "seconds"],
    [{ seconds: "13" }, "seconds"],
    [{ seconds: "long" }, "seconds"],
    [{ seconds: ["4"] }, "seconds"],
    [{ size: "1x1" }, "size"],
    [{ sound: true }, "sound"],
    [{ constructor: 1 }, "constructor"],
    [{ seconds: "1e3" }, "seconds"],
    [{ size: 720 }, "size"],
    [{ prompt: "" }, "prompt"],
    [{ prompt: undefined }, "prompt"],
    [{ model: undefined }, "model"],
    [{ model: "sandbox-image" }, "model"],
    [{ model: "sandbox-text" }, "model"],
    [{ input_reference: {} }, "input_reference"],
    [{ input_reference: [] }, "input_reference"],
    [{ input_reference: { file_id: "file-1" } }, "input_reference.file_id"],
    [{ input_reference: { image_url: "data:image/png,a" } }, "input_reference.image_url"],
    [{ input_reference: { image_url: "data:image/png;base64,AAAA" } }, "input_reference.image_url"],
    [{ input_reference: { image_url: "ftp://a" } }, "input_reference"],
    [{ input_reference: { file_id: "019aa535-6c00-7a3e-9b11-5a4f6e0c2d10" } }, "input_reference"],
    [{ input_reference: { chunks: [1], field: "a" } }, "input_reference"],
  ])("%j is a 400 that names it", async (extra, param) => {
    const reply = await send("/videos", { model, prompt: "a", ...extra });
    const { error } = (await reply.json()) as { error: { param: string; message: string } };
    expect([reply.status, error.param]).toEqual([400, param]);
    expect(error.message.startsWith(`${param}: `)).toBe(true);
    expect(await rows()).toEqual([]);
  });

  test("of a form are checked as well", async () => {
    const picture = await toFile(await drawPicture(), "a.png", { type: "image/png" });
    const options = { model, prompt: "a" };
    const wrong = [
      { ...options, mask: picture },
      { ...options, input_reference: [picture, picture] },
      { ...options, input_reference: { image_url: "https://example.org/a.png", file_id: "a" } },
      { ...options, seconds: "many" },
    ] as unknown as OpenAI.VideoCreateParams[];
    for (const body of wrong) expect(await statusOf(client.videos.create(body))).toBe(400);
    expect(await statusOf(client.videos.create({ model: "none", prompt: "a" }))).toBe(404);
    expect(await rows()).toEqual([]);
  });
});

describe("videos of an account", () => {
  test("are listed in pages in both orders, and are invisible to others", async () => {
    const other = clientOf(await newCustomer(host.hub));
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push((await client.videos.create({ model: "plain", prompt: `[hang] ${n}` })).id);
    await client.images.generate({ model: "sandbox-image", prompt: "a harbour" });
    const collect = async (order: "asc" | "desc") => {
      const found: string[] = [];
      for await (const { id } of client.videos.list({ limit: 2, order })) found.push(id);
      return found;
    };
    expect(await collect("asc")).toEqual(ids);
    expect(await collect("desc")).toEqual(ids.toReversed());
    expect((await client.videos.list()).data.map(({ id }) => id)).toEqual(ids.toReversed());
    const page = await client.videos.list({ after: ids[2], limit: 1 });
    expect(page).toMatchObject({ data: [{ id: ids[1] }], has_more: true, last_id: ids[1] });
    expect(await client.videos.list({ after: ids[0] })).toMatchObject({ data: [], has_more: false });

    expect((await other.videos.list()).data).toEqual([]);
    const missing = "019aa535-6c00-7a3e-9b11-5a4f6e0c2d10";
    for (const call of ["retrieve", "downloadContent", "delete"] as const) {
      const messages = await Promise.all(
        [ids[0]!, missing, "video_1", (await rows()).at(-1)!.id].map((id) =>
          other.videos[call](id).then(String, (error: Error) => error.message),
        ),
      );
      expect(new Set(messages)).toEqual(new Set(["404 Generation not found"]));
    }
    expect(await statusOf(client.videos.retrieve((await rows()).at(-1)!.id))).toBe(404);
    expect(await collect("asc")).toEqual(ids);
  });

  test.each(["limit=0", "limit=101", "limit=a", "after=video_1", "order=up"])("reject ?%s", async (query) => {
    const headers = { authorization: `Bearer ${customer.key}` };
    expect((await fetch(`${baseURL}/videos?${query}`, { headers })).status).toBe(400);
  });
});

describe("retries", () => {
  test("with an idempotency key return the same video, also after its end, until it is deleted", async () => {
    const options = { headers: { "Idempotency-Key": "clip-1" } };
    const create = () =>
      client.videos.create({ model, prompt: "a harbour", seconds: "1" as "4" }, options).withResponse();
    const [first, second] = await Promise.all([create(), create()]);
    expect(second.data.id).toBe(first.data.id);
    await waitFor(first.data.id, "completed");
    const third = await create();
    expect(third.data).toMatchObject({ id: first.data.id, status: "completed" });
    expect(third.response.headers.get("idempotent-replayed")).toBe("true");
    expect([(await rows()).length, (await charges()).length]).toEqual([1, 1]);
    expect(await statusOf(client.videos.create({ model, prompt: "another" }, options))).toBe(409);
    await client.videos.delete(first.data.id);
    const error = await create().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: 404, message: expect.stringContaining("was deleted") as string });
    expect(await rows()).toHaveLength(1);
  });

  test("of an SDK without a key are new videos once the answer has arrived", async () => {
    const headers = { "x-stainless-retry-count": "1" };
    const body = { model: "plain", prompt: "[hang]" };
    for (let n = 0; n < 2; n += 1) expect((await send("/videos", body, headers)).status).toBe(200);
    expect(await rows()).toHaveLength(2);
  });
});

describe("what the hub cannot do", () => {
  test("says so", async () => {
    const { id } = await client.videos.create({ model: "plain", prompt: "[hang]" });
    const file = await toFile(await drawPicture(), "a.png");
    const calls = [
      () => client.videos.remix(id, { prompt: "a" }),
      () => client.videos.edit({ prompt: "a", video: { id } }),
      () => client.videos.extend({ prompt: "a", seconds: "4", video: { id } }),
      () => client.videos.createCharacter({ name: "a", video: file }),
      () => client.videos.getCharacter("a"),
    ];
    for (const call of calls) {
      const error = await call().catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ status: 404, message: expect.stringContaining("This hub does not") as string });
    }
    const thumbnail = await client.videos.downloadContent(id, { variant: "thumbnail" }).catch((thrown: unknown) => thrown); // prettier-ignore
    expect(thumbnail).toMatchObject({ status: 404, message: "404 This hub has no thumbnail of a video." });
    const headers = { authorization: `Bearer ${customer.key}` };
    const wrong = await fetch(`${baseURL}/videos/${id}`, { method: "PUT", headers });
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET, HEAD, DELETE"]);
  });
});
