import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type FalDouble, openFalDouble } from "../../../test/providers/fal/double";
import { FAL_KEY, PICTURE } from "../../../test/providers/fal/samples";
import { buildIo, buildJob, buildProvider } from "../../../test/providers/job";
import type { SafeRequest } from "../../lib/safe-fetch";
import type { ProviderIo } from "../provider";
import { fal } from "./fal";

let double: FalDouble;
beforeAll(async () => {
  double = await openFalDouble();
});
afterAll(() => double.close());

const file = { content: PICTURE, mediaType: "image/png", name: "input.png" };
const buildRoute = (upstreamModel = "fal-ai/flux/schnell", apiKey = FAL_KEY, url = double.url) =>
  buildJob({ ...buildProvider("fal", url), apiKey }, upstreamModel, {}).route;

describe("an upload", () => {
  test("stores the file at the CDN, which does not get the key", async () => {
    const url = await fal.upload(file, buildRoute(), buildIo());
    const response = await fetch(url);
    expect(response.headers.get("content-type")).toBe("image/png");
    expect(Buffer.from(await response.arrayBuffer())).toEqual(PICTURE);
  });

  test("that fails leaves an input that is unavailable, because nothing was submitted", async () => {
    const unavailable = { name: "InputUnavailable", retryable: true };
    await expect(fal.upload(file, buildRoute(undefined, "wrong-key"), buildIo())).rejects.toMatchObject(unavailable);
    const { url, close } = await openFalDouble();
    await close();
    const away = buildRoute(undefined, FAL_KEY, url);
    await expect(fal.upload(file, away, buildIo())).rejects.toMatchObject(unavailable);
  });
});

describe("a check", () => {
  test("finds a key and endpoints that work", async () => {
    const when = [{ match: { image: "present" }, upstreamModel: "fal-ai/flux/dev", priceUsd: null }];
    expect(await fal.check({ ...buildRoute(), when }, buildIo())).toBeNull();
    expect(double.accepted).toEqual([]);
  });

  test("names an endpoint that does not exist", async () => {
    const when = [{ match: { image: "present" }, upstreamModel: "other/model", priceUsd: null }];
    expect(await fal.check({ ...buildRoute(), when }, buildIo())).toBe("fal does not offer other/model");
  });

  test("tells that the key is wrong", async () => {
    const route = buildRoute(undefined, "wrong-key");
    expect(await fal.check(route, buildIo())).toBe("fal does not accept the key (status 401)");
  });
});

describe("fal's own hosts", () => {
  const provider = { ...buildProvider("fal", fal.defaultBaseUrl), hasOwnBaseUrl: false };
  const { route } = buildJob(provider, "fal-ai/flux/schnell", {});

  /** Returns an io that records what leaves the hub, and answers by the host and path of the URL. */
  function recordRequests(answers: Record<string, unknown>) {
    const sent: (SafeRequest & { url: string })[] = [];
    const io: ProviderIo = {
      ...buildIo(),
      fetch: async (url, request) => {
        sent.push({ ...request, url });
        const { host, pathname } = new URL(url);
        return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(answers[host + pathname] ?? {})) };
      },
    };
    return { sent, io };
  }
  const answerUpload = (upload_url: string) =>
    recordRequests({ "rest.fal.ai/storage/upload/initiate": { upload_url, file_url: "https://v3.fal.media/a.png" } });

  test("get the key only where it is needed", async () => {
    const { sent, io } = answerUpload("https://v3b.fal.media/uploads/a?signature=1");
    expect(await fal.upload(file, route, io)).toBe("https://v3.fal.media/a.png");
    expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "POST https://rest.fal.ai/storage/upload/initiate?storage_type=fal-cdn-v3",
      "PUT https://v3b.fal.media/uploads/a?signature=1",
    ]);
    expect(sent.map(({ headers }) => headers!.authorization)).toEqual([`Key ${FAL_KEY}`, undefined]);
    expect(sent[1]).toMatchObject({ body: PICTURE, headers: { "content-type": "image/png" }, schemes: ["https:"] });
  });

  test.each(["https://evil.example/a", "http://v3.fal.media/a", "https://169.254.169.254/a"])(
    "are the only ones that get a file: not %s",
    async (uploadUrl) => {
      const { sent, io } = answerUpload(uploadUrl);
      await expect(fal.upload(file, route, io)).rejects.toMatchObject({ name: "InputUnavailable" });
      expect(sent).toHaveLength(1);
    },
  );

  test("return the prices", async () => {
    const prices = [{ endpoint_id: "fal-ai/flux/schnell", unit_price: 0.003, unit: "megapixels", currency: "USD" }];
    const { sent, io } = recordRequests({ "api.fal.ai/v1/models/pricing": { prices } });
    expect(await fal.check(route, io)).toBeNull();
    expect(sent[0]).toMatchObject({
      url: "https://api.fal.ai/v1/models/pricing?endpoint_id=fal-ai%2Fflux%2Fschnell",
      headers: { authorization: `Key ${FAL_KEY}` },
    });
  });

  test("publish the signing keys", async () => {
    const own = double.buildKeySet();
    const { sent, io } = recordRequests({ "rest.fal.ai/.well-known/jwks.json": own });
    const { headers, body } = double.signWebhook({ id: "request-1", end: { result: { status: 200 } } });
    const target = { attemptId: "", upstreamId: null, route };
    expect(await fal.callback({ headers: new Headers(headers), body }, target, io)).toEqual({
      upstreamId: JSON.stringify({ request_id: "request-1" }),
    });
    expect(sent.map(({ url, headers: own }) => [url, own!.authorization])).toEqual([
      ["https://rest.fal.ai/.well-known/jwks.json", undefined],
    ]);
  });

  test("and the queue's second one run jobs; others that an answer names are not asked", async () => {
    const { sent, io } = recordRequests({ "queue.falrun.com/fal-ai/flux/requests/1/status": { status: "IN_QUEUE" } });
    const job = buildJob(provider, "fal-ai/flux/schnell", {});
    const poll = (status_url: string) =>
      fal.poll(job, JSON.stringify({ request_id: "1", status_url }), io).catch((error: Error) => error.message);
    expect(await poll("https://queue.falrun.com/fal-ai/flux/requests/1/status")).toMatchObject({ state: "pending" });
    expect(await poll("https://fal.media/fal-ai/flux/requests/1/status")).toMatch("outside of its API");
    expect(sent.map(({ url }) => url)).toEqual(["https://queue.falrun.com/fal-ai/flux/requests/1/status"]);
  });
});
