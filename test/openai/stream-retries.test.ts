import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { STREAM_TIMES } from "../../server/domain/chat/hub";
import { type Customer, newCustomer } from "../api/customer";
import { MODEL_YAML, openChatHost, userMessages } from "../chat/host";
import { createRetryClients, openSecondHost } from "../chat/retry-clients";
import { openImpatientClient } from "./impatient-client";
import { joinText, openStream, parseChunks, type StreamReader } from "./read-stream";
import { streamWords, takeNext, type UpstreamStream, usageOf } from "./stream-upstream";

const host = await openChatHost();
const { upstream, hub } = host;
const clients = createRetryClients(host);
const second = await openSecondHost(host);
let customer: Customer;
beforeEach(async () => {
  customer = await newCustomer(hub);
});
afterEach(async () => {
  hub.services.streamTimes = { ...STREAM_TIMES };
  await expect.poll(() => hub.chats.size).toBe(0);
});
// Once for all tests, because it reads all that they have done.
afterAll(async () => {
  expect(await runAudit(hub.db)).toMatchObject({ violations: [], reserved: 0 });
});

const body = { messages: userMessages("hello") };
const retry = (count = 1, url = host.url): Promise<StreamReader> =>
  openStream({ url, key: customer.key, body, headers: { "x-stainless-retry-count": String(count) } });
const records = () => clients.listRecords(customer);
const isClaimed = async () => (await records()).some(({ joinable_at }) => joinable_at! > hub.now());

/** Sends a stream and leaves once the provider has it and the hub has recorded that. Returns the provider's side. */
async function abandon(headers: Record<string, string> = {}): Promise<UpstreamStream> {
  const taken = takeNext(upstream);
  const client = new AbortController();
  const sent = fetch(`${host.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${customer.key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify({ model: "talk", stream: true, ...body }),
    signal: client.signal,
  }).catch(() => null);
  const up = await taken;
  client.abort();
  await sent;
  if (!headers["idempotency-key"])
    await expect.poll(async () => (await records()).some(({ joinable_at }) => joinable_at !== null)).toBe(true);
  return up;
}

test("OpenAI's SDK that times out before the first byte pays once", async () => {
  const taken = takeNext(upstream);
  const client = openImpatientClient({ baseURL: `${host.url}/v1`, apiKey: customer.key }, () => taken);
  const opening = client.chat.completions.create({
    model: "talk",
    messages: [{ role: "user", content: "hello" }],
    stream: true,
  });
  const up = await taken;
  await expect.poll(isClaimed).toBe(true);
  up.text("Hello");
  up.finish(usageOf(10, 2));
  let text = "";
  for await (const chunk of await opening) text += chunk.choices[0]?.delta.content ?? "";
  expect(text).toBe("Hello");
  expect(await records()).toMatchObject([{ status: "succeeded", billed_cost: 14_000n }]);
});

test.each([
  ["this process", () => host.url],
  ["another process", () => second],
])("a retry joins, in %s, and what was undelivered is charged once", async (_name, url) => {
  const up = await abandon();
  up.text("Hel");
  const joined = retry(1, url());
  await expect.poll(isClaimed).toBe(true);
  up.text("lo");
  up.finish(usageOf(10, 2));
  const stream = await joined;
  expect(stream.response.headers.get("idempotent-replayed")).toBe("true");
  expect(joinText(parseChunks(await stream.rest()))).toBe("Hello");
  const [record, ...others] = await records();
  expect(others).toEqual([]);
  expect(record).toMatchObject({ status: "succeeded", billed_cost: 14_000n });
  expect(stream.response.headers.get("x-generation-id")).toBe(record!.id);
  await expect.poll(records).toMatchObject([{ answer: null, request_digest: null, joinable_at: null }]);
});

test("the provider goes on for as long as a retry waits", async () => {
  hub.services.streamTimes.retryMs = 200;
  const up = await abandon();
  const joined = retry();
  await expect.poll(isClaimed).toBe(true);
  hub.services.streamTimes.retryMs = 1;
  await new Promise((resolve) => setTimeout(resolve, 250));
  up.text("Hello");
  up.finish(usageOf(10, 2));
  expect(joinText(parseChunks(await (await joined).rest()))).toBe("Hello");
});

test("without a retry, what the provider has said until then is charged, and a later request starts anew", async () => {
  hub.services.streamTimes.retryMs = 150;
  const up = await abandon();
  up.text("one two three");
  await up.closed;
  await expect.poll(async () => (await records())[0]!.status).toBe("canceled");
  expect((await records())[0]!.billed_cost).toBeGreaterThan(6_000n);
  upstream.respondNext(streamWords(["Hi"]));
  const next = await retry();
  expect(next.response.headers.get("idempotent-replayed")).toBeNull();
  expect(joinText(parseChunks(await next.rest()))).toBe("Hi");
});

test("a stream that a reasoning model has ended without its client is the retry's", async () => {
  host.setModels(MODEL_YAML.replace("structured_output", "reasoning"));
  hub.services.streamTimes.retryMs = 1;
  const up = await abandon();
  up.text("Hello");
  up.finish(usageOf(10, 400));
  await expect.poll(async () => (await records())[0]!.status).toBe("succeeded");
  expect(joinText(parseChunks(await (await retry()).rest()))).toBe("Hello");
  expect(await records()).toMatchObject([{ billed_cost: 810_000n }]);
  host.setModels(MODEL_YAML);
});

test("a provider that breaks off before anything was delivered costs nothing, and its error is the retry's", async () => {
  const up = await abandon();
  const joined = retry();
  await expect.poll(isClaimed).toBe(true);
  up.text("Hel");
  up.raw("data: {nonsense\n\n");
  expect((await joined).response.status).toBe(503);
  expect(await records()).toMatchObject([{ status: "failed", billed_cost: 0n }]);
});

test("a stream that was delivered in part is not joined", async () => {
  const taken = takeNext(upstream);
  const opening = openStream({ url: host.url, key: customer.key, body });
  const up = await taken;
  up.text("Hel");
  const first = await opening;
  await first.nextChunk();
  first.leave();
  await up.closed;
  await expect.poll(async () => (await records())[0]!.status).toBe("canceled");
  upstream.respondNext(streamWords(["Hi"]));
  expect(joinText(parseChunks(await (await retry()).rest()))).toBe("Hi");
  expect(await records()).toHaveLength(2);
});

test("an idempotency key whose stream has delivered nothing is free again", async () => {
  hub.services.streamTimes.retryMs = 20;
  const up = await abandon({ "idempotency-key": "left" });
  await up.closed;
  await expect.poll(async () => (await records())[0]!.status).toBe("canceled");
  upstream.respondNext(streamWords(["Hi"]));
  const again = await openStream({ url: host.url, key: customer.key, body, headers: { "idempotency-key": "left" } });
  expect(joinText(parseChunks(await again.rest()))).toBe("Hi");
  expect((await records()).map(({ billed_cost }) => billed_cost)).toEqual([0n, 12_000n]);
});
