// Runs in a project in which the packed client is installed, as a program of a customer.
import assert from "node:assert/strict";
import {
  ApiError,
  ConflictError,
  GenerationFailedError,
  GenerationHub,
  InsufficientCreditsError,
  InvalidInputError,
  NotFoundError,
  UnauthorizedError,
  WaitTimeoutError,
} from "@generation-hub/client";

const options = { baseUrl: `${process.env.HUB_URL}/`, apiKey: process.env.HUB_API_KEY };
const hub = new GenerationHub(options);
const prompt = "a lighthouse";

const before = await hub.account();
assert.match(before.balance, /^\d+(\.\d+)?$/);
assert.equal(await hub.estimate("sandbox-image", { prompt, resolution: "2k" }), "0.0184");
assert.ok((await hub.models()).some(({ id }) => id === "sandbox-image"));
assert.equal((await hub.model("sandbox-image")).pricing_tiers[0].price_usd, "0.01");

// One idempotency key, two calls at once and one later: one generation, one charge.
const idempotencyKey = crypto.randomUUID();
const same = () => hub.run("sandbox-image", { prompt: "one" }, { idempotencyKey });
const [first, second] = await Promise.all([same(), same()]);
const third = await same();
assert.deepEqual([second.id, third.id], [first.id, first.id]);
assert.equal(first.billed_cost, "0.0092");
await assert.rejects(hub.run("sandbox-image", { prompt: "two" }, { idempotencyKey }), ConflictError);

// Equal calls without a key are two wishes.
const [one, other] = await Promise.all([1, 2].map(() => hub.run("sandbox-image", { prompt })));
assert.notEqual(one.id, other.id);

// Contents become inputs, and their names keep calls with one key equal.
const picture = await hub.download(one.outputs[0]);
assert.deepEqual([picture.type, picture.size], ["image/png", one.outputs[0].size]);
const bytes = new Uint8Array(await picture.arrayBuffer());
const composed = () =>
  hub.run("sandbox-image", { prompt, image_input: [bytes, picture] }, { idempotencyKey: "composed" });
assert.equal((await composed()).id, (await composed()).id);

const states = [];
const seen = [];
const slow = hub.subscribe(
  "sandbox-image",
  { prompt: "[slow:1] slow" },
  { onProgress: ({ status }) => seen.push(status) },
);
for await (const { status } of slow) states.push(status);
assert.equal(states.at(-1), "succeeded");
assert.ok(states.length >= 2 && states.length === seen.length, states.join());

const failure = await hub.run("sandbox-image", { prompt: "[fail]" }).catch((error) => error);
assert.ok(failure instanceof GenerationFailedError && failure.generation.billed_cost === "0");
const late = await hub.run("sandbox-image", { prompt: "[slow:2]" }, { timeoutMs: 50 }).catch((error) => error);
assert.ok(late instanceof WaitTimeoutError && late.generation.id);
const controller = new AbortController();
const aborted = hub.wait(late.generation.id, { signal: controller.signal, onProgress: () => controller.abort() });
await assert.rejects(aborted, { name: "AbortError" });

const invalid = await hub.create("sandbox-image", { prompt: 7 }).catch((error) => error);
assert.ok(invalid instanceof InvalidInputError && invalid instanceof ApiError);
assert.deepEqual(Object.keys(invalid.errors), ["input.prompt"]);
assert.ok(invalid.requestId);
await assert.rejects(hub.get(crypto.randomUUID()), NotFoundError);
await assert.rejects(hub.create("no-such-model", {}), { code: "model_not_found" });
await assert.rejects(new GenerationHub({ ...options, apiKey: "service_sk_wrong" }).account(), UnauthorizedError);
await assert.rejects(hub.download("https://evil.example/key"), TypeError);

const page = await hub.list({ limit: 2, exclude_llm: "true" });
assert.equal(page.data.length, 2);
assert.equal(typeof page.total_billed, "string");
assert.equal((await hub.list({ limit: 2, exclude_llm: "true", cursor: page.next_cursor })).data.length, 2);

const metadata = { team: "blue", run: crypto.randomUUID() };
const labeled = await hub.create("sandbox-image", { prompt }, { metadata, endUser: "ada" });
assert.deepEqual([labeled.metadata, labeled.end_user], [metadata, "ada"]);
const found = await hub.list({ metadata, end_user: "ada" });
assert.deepEqual(
  found.data.map(({ id }) => id),
  [labeled.id],
);

const batchKey = crypto.randomUUID();
const inputs = [{ prompt }, { prompt, image_input: [bytes] }, { prompt: "[fail]" }];
const startBatch = () => hub.createBatch("sandbox-image", inputs, { idempotencyKey: batchKey, maxCost: 1 });
const batch = await startBatch();
const counted = [];
const ended = await hub.waitForBatch(batch.id, { onProgress: ({ counts }) => counted.push(counts) });
assert.deepEqual([ended.status, ended.counts.succeeded, ended.counts.failed], ["completed", 2, 1]);
assert.deepEqual([ended.billed_cost, ended.reserved_cost, counted.at(-1)], ["0.0184", "0", ended.counts]);
assert.equal((await startBatch()).id, batch.id);
assert.equal((await hub.list({ batch_id: batch.id })).data.length, 3);
assert.equal((await hub.listBatches({ limit: 1 })).data[0].id, batch.id);
await assert.rejects(hub.createBatch("sandbox-image", inputs, { maxCost: 0.01 }), InvalidInputError);
const held = await hub.createBatch("sandbox-image", [{ prompt, image_input: [`sha256:${"ab".repeat(32)}`] }]);
await assert.rejects(hub.waitForBatch(held.id, { timeoutMs: 50 }), WaitTimeoutError);
assert.equal((await hub.cancelBatch(held.id)).counts.canceled, 1);

const ask = { model: "sandbox-text", messages: [{ role: "user", content: "hello" }] };
const [chat, replay] = [
  await hub.chat(ask, { idempotencyKey: "chat" }),
  await hub.chat(ask, { idempotencyKey: "chat" }),
];
assert.equal(typeof chat.usage.cost, "string");
assert.equal(replay.id, chat.id);
let streamed = "";
let cost;
for await (const { choices, usage } of hub.streamChat(ask, { idempotencyKey: "stream" })) {
  streamed += choices[0]?.delta.content ?? "";
  cost = usage?.cost ?? cost;
}
const again = await hub.streamChat(ask, { idempotencyKey: "stream" }).next();
assert.ok(streamed.length > 0 && Number(cost) > 0);
assert.equal(again.value.choices[0].delta.content, streamed);
await assert.rejects(hub.streamChat({ ...ask, model: "no-such-model" }).next(), { code: "model_not_found" });
const costly = await hub.chat({ ...ask, messages: [{ role: "user", content: 7 }] }).catch((error) => error);
assert.equal(costly.code, "invalid_input");
assert.equal(InsufficientCreditsError.prototype instanceof ApiError, true);

assert.ok(Number((await hub.account()).balance) < Number(before.balance));
console.log("all checks passed");
