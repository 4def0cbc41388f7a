import OpenAI from "openai";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { STREAM_TIMES } from "../../server/domain/chat/hub";
import { type Customer, newCustomer } from "../api/customer";
import { MODEL_YAML, openChatHost, userMessages } from "../chat/host";
import { errorBody, respondWith } from "../chat/upstream";
import { joinText, openStream, parseChunks, type StreamReader } from "./read-stream";
import { DONE, streamEvents, streamWords, takeNext, textChunk, type UpstreamStream, usageOf } from "./stream-upstream";

const host = await openChatHost();
const { upstream, hub } = host;
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

const messages = userMessages("hello");
const open = (body: Record<string, unknown> = {}, headers?: Record<string, string>): Promise<StreamReader> =>
  openStream({ url: host.url, key: customer.key, body: { messages, ...body }, headers });

interface Row {
  id: string;
  status: string;
  billed: number | null;
  held: number;
  input_tokens: number | null;
  output_tokens: number | null;
  outcome: string | null;
}

/** Returns the newest chat of the customer, with its costs in nano-euros. */
const latest = async (): Promise<Row> => {
  const [row] = await hub.db.query<Row>(
    `SELECT g.id, status, billed_cost::int AS billed, estimated_cost::int AS held, input_tokens, output_tokens,
            (SELECT outcome FROM attempt a WHERE a.generation_id = g.id ORDER BY n DESC LIMIT 1) AS outcome
     FROM generation g WHERE account_id = $1 ORDER BY id DESC LIMIT 1`,
    [customer.account],
  );
  return row!;
};
const ended = async (): Promise<Row> => {
  await expect.poll(async () => (await latest()).status).not.toBe("running");
  return latest();
};
describe("a streamed chat", () => {
  test("passes each chunk on as it comes, and has usage and cost in the chunk with finish_reason", async () => {
    const taken = takeNext(upstream);
    const opening = open({ temperature: 0.5 });
    const up = await taken;
    expect(up.request.body).toMatchObject({
      model: "gpt-up",
      temperature: 0.5,
      stream: true,
      stream_options: { include_usage: true },
    });
    up.text("The");
    const stream = await opening;
    expect(stream.response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const { id } = await latest();
    expect(stream.response.headers.get("x-generation-id")).toBe(id);
    for (const word of ["The", " light", "house"]) {
      if (word !== "The") up.text(word);
      expect(await stream.nextChunk()).toEqual({
        id,
        object: "chat.completion.chunk",
        created: expect.any(Number) as number,
        model: "talk",
        system_fingerprint: "fp_1",
        choices: [{ index: 0, delta: { content: word }, finish_reason: null }],
      });
    }
    up.finish({ ...usageOf(11, 3), prompt_tokens_details: { cached_tokens: 2 } });
    expect(await stream.nextChunk()).toMatchObject({
      id,
      choices: [{ index: 0, delta: {}, finish_reason: "stop" }],
      usage: { ...usageOf(11, 3), prompt_tokens_details: { cached_tokens: 2 }, cost: 0.000017 },
    });
    expect(await stream.rest()).toEqual(["[DONE]"]);
    expect(await latest()).toMatchObject({
      status: "succeeded",
      billed: 17_000,
      input_tokens: 11,
      output_tokens: 3,
      outcome: "succeeded",
    });
  });

  test("has OpenAI's last chunk without choices for a client that asks for usage", async () => {
    upstream.respondNext(streamWords(["Hi"]));
    const stream = await open({ stream_options: { include_usage: true } });
    const chunks = parseChunks(await stream.rest());
    expect(chunks.map(({ usage }) => usage ?? null).slice(0, -1)).toEqual([null, null, null]);
    expect(chunks.at(-2)!.choices[0]!.finish_reason).toBe("stop");
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { ...usageOf(10, 1), cost: 0.000012 } });
  });

  test("works through the unmodified SDK, with tools and through its helper", async () => {
    const client = new OpenAI({ baseURL: `${host.url}/v1`, apiKey: customer.key });
    const texts = await client.chat.completions
      .stream({ model: "sandbox-text", messages: [{ role: "user", content: "What does a lighthouse see?" }] })
      .finalChatCompletion();
    expect(texts.choices[0]!.message.content).toMatch(/^You say: What does a lighthouse see\? This is the sandbox/);
    const tools = [
      {
        type: "function" as const,
        function: {
          name: "get_weather",
          parameters: { type: "object", properties: { city: { type: "string" }, days: { type: "integer" } } },
        },
      },
    ];
    const runner = client.chat.completions.stream({
      model: "sandbox-text",
      messages: [{ role: "user", content: "How is the weather?" }],
      tools,
      stream_options: { include_usage: true },
      n: 1,
    });
    const { choices } = await runner.finalChatCompletion();
    expect(choices[0]!.finish_reason).toBe("tool_calls");
    expect(choices[0]!.message.tool_calls).toMatchObject([
      { function: { name: "get_weather", arguments: '{"city":"sandbox","days":1}' } },
    ]);
    expect(await runner.totalUsage()).toMatchObject({ prompt_tokens: expect.any(Number) as number });
  });

  test("of a server that ignores `stream` is one chunk", async () => {
    const stream = await open();
    const chunks = parseChunks(await stream.rest());
    expect(joinText(chunks)).toBe("You said: hello");
    expect(chunks).toHaveLength(1);
    expect(chunks[0]).toMatchObject({ usage: { cost: 0.000015 }, choices: [{ finish_reason: "stop" }] });
  });

  test("of which the client got the last chunk can be replayed as one chunk", async () => {
    upstream.respondNext(streamWords(["Good", " morning"]));
    const headers = { "idempotency-key": "one" };
    const first = await open({}, headers);
    const chunks = parseChunks(await first.rest());
    const count = upstream.requests.length;
    const again = await open({}, headers);
    expect(again.response.headers.get("idempotent-replayed")).toBe("true");
    expect(again.response.headers.get("x-generation-id")).toBe(chunks[0]!.id);
    const events = await again.rest();
    expect(events.at(-1)).toBe("[DONE]");
    expect(parseChunks(events)).toEqual([
      {
        id: chunks[0]!.id,
        object: "chat.completion.chunk",
        created: chunks[0]!.created,
        model: "talk",
        system_fingerprint: "fp_1",
        choices: [{ index: 0, delta: { role: "assistant", content: "Good morning" }, finish_reason: "stop" }],
        usage: { ...usageOf(10, 2), cost: 0.000014 },
      },
    ]);
    expect(upstream.requests.length).toBe(count);
    const other = await open({ seed: 1 }, headers);
    expect(other.response.status).toBe(409);
  });

  test("that still runs is reported to a request with the same key", async () => {
    const taken = takeNext(upstream);
    const opening = open({}, { "idempotency-key": "two" });
    const up = await taken;
    up.text("a");
    const stream = await opening;
    const second = await open({}, { "idempotency-key": "two" });
    expect([second.response.status, await second.error()]).toMatchObject([503, { code: "generation_in_progress" }]);
    expect(second.response.headers.get("x-generation-id")).toBe((await latest()).id);
    up.finish(usageOf(1, 1));
    await stream.rest();
  });

  test("keeps its reply for accounts that choose so", async () => {
    await hub.db.query("UPDATE account SET reply_retention_days = 1 WHERE id = $1", [customer.account]);
    upstream.respondNext(streamWords(["Kept", " reply"]));
    await (await open()).rest();
    const [row] = await hub.db.query<{ choices: string }>("SELECT choices FROM chat_reply WHERE generation_id = $1", [
      (await latest()).id,
    ]);
    expect(JSON.parse(row!.choices)).toMatchObject([{ message: { content: "Kept reply" } }]);
  });
});

describe("a client that leaves", () => {
  test("stops the provider and is charged for the prompt and the text so far", async () => {
    const taken = takeNext(upstream);
    const opening = open({ max_tokens: 500 });
    const up = await taken;
    up.text("one two three");
    const stream = await opening;
    await stream.nextChunk();
    stream.leave();
    await up.closed;
    const row = await ended();
    expect(row).toMatchObject({ status: "canceled", output_tokens: 3, outcome: "canceled" });
    expect(row.input_tokens).toBeGreaterThan(1);
    expect(row.input_tokens).toBeLessThan(20);
    expect(row.billed).toBe(1_000 * row.input_tokens! + 2_000 * 3);
  });

  test("before the first byte ends the request to the provider, and nothing is charged", async () => {
    hub.services.streamTimes.retryMs = 20;
    const taken = takeNext(upstream);
    const client = new AbortController();
    const sent = fetch(`${host.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${customer.key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "talk", messages, stream: true }),
      signal: client.signal,
    }).catch(() => null);
    const up = await taken;
    client.abort();
    await sent;
    await up.closed;
    const row = await ended();
    expect(row).toMatchObject({ status: "canceled", billed: 0, output_tokens: null, outcome: "canceled" });
  });

  test("of a model that reasons is charged by the usage, which the hub reads on to", async () => {
    host.setModels(MODEL_YAML.replace("structured_output", "reasoning"));
    const taken = takeNext(upstream);
    const opening = open();
    const up = await taken;
    up.text("so");
    const stream = await opening;
    await stream.nextChunk();
    stream.leave();
    // The hub goes on reading although its client has left.
    await new Promise((resolve) => setImmediate(resolve));
    up.text(" on");
    up.finish(usageOf(10, 400));
    expect(await ended()).toMatchObject({ status: "succeeded", input_tokens: 10, output_tokens: 400, billed: 810_000 });
    host.setModels(MODEL_YAML);
  });

  test("with an idempotency key gets what was charged, marked as cut, and is not charged again", async () => {
    const taken = takeNext(upstream);
    const opening = open({}, { "idempotency-key": "left" });
    const up = await taken;
    up.text("half an");
    const stream = await opening;
    await stream.nextChunk();
    stream.leave();
    const { billed } = await ended();
    const again = await open({}, { "idempotency-key": "left" });
    const [chunk] = parseChunks(await again.rest());
    expect(chunk).toMatchObject({ choices: [{ delta: { content: "half an" }, finish_reason: "length" }] });
    expect(await latest()).toMatchObject({ billed });
  });
});

describe("a provider's fault", () => {
  test("before the first byte is an ordinary error that costs nothing", async () => {
    upstream.respondNext(respondWith(400, errorBody("no such thing")));
    const stream = await open();
    const { response } = stream;
    expect(response.status).toBe(400);
    expect(await stream.error()).toMatchObject({
      message: "The provider refused the hub's request with status 400: no such thing.",
      code: "provider_error",
      type: "invalid_request_error",
      param: null,
    });
    expect(response.headers.get("x-generation-id")).toBe((await latest()).id);
    expect(await latest()).toMatchObject({ status: "failed", billed: 0 });
  });

  test("that certainly did no work makes the hub try the next route", async () => {
    host.setModels(MODEL_YAML.replace("gpt-up }", "gpt-up }, { provider: second, upstream_model: gpt-second }"));
    upstream.respondNext(respondWith(503, errorBody("full")), streamWords(["Hi"]));
    expect(joinText(parseChunks(await (await open()).rest()))).toBe("Hi");
    expect(upstream.requests.at(-1)!.body).toMatchObject({ model: "gpt-second", stream: true });
    host.setModels(MODEL_YAML);
  });

  test.each<[string, (string | object)[]]>([
    ["an empty stream", []],
    ["only the end", [DONE]],
    ["no JSON", ["data: nonsense\n\n"]],
    ["a page", ["<html><body>ok</body></html>"]],
    ["an error", [{ error: { message: "overloaded" } }]],
    ["choices that are none", [{ choices: 7 }]],
    ["a delta that is none", [{ choices: [{ index: 0, delta: "x" }] }]],
  ])("of %s in place of the first chunk costs nothing", async (_case, events) => {
    upstream.respondNext(streamEvents(...events));
    const { response } = await open();
    expect(response.status).toBe(503);
    expect(await latest()).toMatchObject({ status: "failed", billed: 0, outcome: "failed" });
  });

  test.each<[string, (string | object)[]]>([
    ["an end without its reason", []],
    ["an error event", [{ error: { message: "overloaded at http://127.0.0.1:1/v1" } }]],
    ["garbage", ["data: {nonsense\n\n"]],
    ["an event that is too large", [`data: ${"x".repeat(300_000)}\n\n`]],
    ["JSON that is too deep", [`data: ${"[".repeat(100)}${"]".repeat(100)}\n\n`]],
  ])("after the first byte, %s, is an error event, and the text so far is charged", async (_case, events) => {
    upstream.respondNext(streamEvents(textChunk("one two"), ...events));
    const all = await (await open()).rest();
    expect(joinText(parseChunks(all))).toBe("one two");
    expect(all.at(-1)).toMatch(/^event: error\n/);
    const { error } = JSON.parse(all.at(-1)!.replace("event: error\ndata: ", "")) as { error: Record<string, unknown> };
    expect(error).toMatchObject({ code: "provider_error", type: "server_error" });
    expect(JSON.stringify(error)).not.toContain("127.0");
    const row = await latest();
    expect(row).toMatchObject({ status: "canceled", output_tokens: 2, outcome: "failed" });
    expect(row.billed).toBeGreaterThan(4_000);
    expect(row.billed).toBeLessThan(row.held);
  });

  test("a connection that breaks is an error event that the SDK throws", async () => {
    const taken = takeNext(upstream);
    const client = new OpenAI({ baseURL: `${host.url}/v1`, apiKey: customer.key });
    const opening = client.chat.completions.create({
      model: "talk",
      messages: [{ role: "user", content: "hello" }],
      stream: true,
    });
    const up = await taken;
    up.text("one");
    const stream = await opening;
    await expect(async () => {
      for await (const chunk of stream) {
        expect(chunk.choices[0]!.delta.content).toBe("one");
        up.response.socket!.resetAndDestroy();
      }
    }).rejects.toThrow(/broke/);
    expect(await latest()).toMatchObject({ status: "canceled", output_tokens: 1 });
  });
});

describe("a provider that lies", () => {
  const words = [textChunk("one"), textChunk(" two"), textChunk("", "stop")];
  const usageEvent = (usage: unknown) => ({ ...textChunk(""), choices: [], usage });

  test.each<[string, (string | object)[], number | "hold"]>([
    ["no usage", [...words, DONE], 2],
    ["no usage and no end", [...words], 2],
    ["no reason for its end", [...words.slice(0, -1), DONE], 2],
    ["usage twice", [...words, usageEvent(usageOf(5, 7)), usageEvent(usageOf(5, 900)), DONE], 7],
    ["usage of zero", [...words, usageEvent(usageOf(0, 0)), DONE], 2],
    ["negative usage", [...words, usageEvent(usageOf(-5, -1)), DONE], 2],
    ["impossible usage", [...words, usageEvent(usageOf(1e15, 1e15)), DONE], 2],
    ["usage above the hold", [...words, usageEvent(usageOf(900_000_000, 900_000_000)), DONE], "hold"],
    ["usage as words", [...words, usageEvent("many"), DONE], 2],
    ["text after its end", [...words, textChunk(" three"), DONE], 3],
    ["several reasons", [...words, textChunk("", "length"), DONE], 2],
  ])("with %s is charged, and never above the hold", async (_case, events, charged) => {
    upstream.respondNext(streamEvents(...events));
    const all = await (await open()).rest();
    const chunks = parseChunks(all);
    expect(all.at(-1)).toBe("[DONE]");
    expect(joinText(chunks)).toMatch(/^one two/);
    expect(chunks.filter(({ choices }) => choices[0]!.finish_reason !== null)).toHaveLength(1);
    expect(chunks.at(-1)!.usage!.cost).toBeGreaterThan(0);
    const row = await latest();
    expect(row.status).toBe("succeeded");
    if (charged === "hold") expect(row.billed).toBe(row.held);
    else expect(row.output_tokens).toBe(charged);
    expect(row.billed).toBeGreaterThan(0);
    expect(row.billed).toBeLessThanOrEqual(row.held);
  });

  test("and keeps the connection open after its last word is waited for only briefly", async () => {
    hub.services.streamTimes.usageMs = 50;
    const taken = takeNext(upstream);
    const opening = open();
    const up = await taken;
    up.text("one");
    up.event(textChunk("", "stop"));
    const events = await (await opening).rest();
    expect(events.at(-1)).toBe("[DONE]");
    expect(await latest()).toMatchObject({ status: "succeeded", output_tokens: 1 });
    await up.closed;
  });

  test("and sends events without end is cut off", async () => {
    const taken = takeNext(upstream);
    const opening = open();
    const up = await taken;
    up.text("one");
    const stream = await opening;
    const block = ": noise\n".repeat(8_000);
    const flood = () => {
      while (!up.response.destroyed) if (!up.response.write(block)) return void up.response.once("drain", flood);
    };
    flood();
    expect((await stream.rest()).at(-1)).toMatch(/^event: error/);
    await up.closed;
  });
});

describe("a slow stream", () => {
  test("has comments while nothing comes, and an error event once it has begun", async () => {
    hub.services.streamTimes.commentMs = 30;
    const taken = takeNext(upstream);
    const stream = await open();
    const up = await taken;
    expect(await stream.next()).toBe(": keep-alive");
    up.response.destroy();
    const events = await stream.rest();
    expect(events.at(-1)).toMatch(/^event: error/);
    expect(await latest()).toMatchObject({ status: "failed", billed: 0 });
  });

  test("a reader that does not read slows the provider down", async () => {
    const taken = takeNext(upstream);
    const opening = open();
    const up = await taken;
    up.text("x");
    const stream = await opening;
    await stream.nextChunk();
    // Text of this length would cost more than the hold, which ends a stream; other members are passed through.
    const chunk = `data: ${JSON.stringify({ ...textChunk("x"), padding: "word ".repeat(2_000) })}\n\n`;
    // The sockets' own buffers take a few megabytes.
    const MAX_BYTES = 40 * 1024 * 1024;
    let sent = 0;
    let isFull = false;
    for (let pauses = 0; sent < MAX_BYTES && !isFull;) {
      sent += chunk.length;
      if (up.response.write(chunk)) continue;
      isFull = await Promise.race([
        new Promise<boolean>((resolve) => up.response.once("drain", () => resolve(false))),
        new Promise<boolean>((resolve) => setTimeout(() => resolve((pauses += 1) > 0), 500)),
      ]);
    }
    expect(isFull).toBe(true);
    stream.leave();
    await up.closed;
    expect(await ended()).toMatchObject({ status: "canceled", outcome: "canceled" });
  });

  test("past its model's time ends with an error event and is charged for its text", async () => {
    host.setModels(MODEL_YAML.replace("supports:", "timeout_seconds: 1\n    supports:"));
    const taken = takeNext(upstream);
    const opening = open();
    const up = await taken;
    up.text("one");
    const events = await (await opening).rest();
    expect(events.at(-1)).toMatch(/exceeded its model's time limit/);
    expect(await latest()).toMatchObject({ status: "canceled", output_tokens: 1 });
    await up.closed;
    host.setModels(MODEL_YAML);
  });
});

test("a hundred streams on the last cent never overdraw, and each is charged", async () => {
  customer = await newCustomer(hub, { credit: 0.01 });
  const held: UpstreamStream[] = [];
  let rejected = 0;
  // Each stream holds a thousandth of a euro until all have been accepted or rejected.
  const release = () => {
    if (held.length + rejected < 100) return;
    for (const up of held) {
      up.text("a b");
      up.finish(usageOf(10, 2));
    }
  };
  const openOne = async () => {
    const stream = await open({ max_tokens: 200 });
    if (stream.response.status === 200) return stream.rest();
    expect([stream.response.status, await stream.error()]).toMatchObject([402, { type: "insufficient_quota" }]);
    rejected += 1;
    release();
    return null;
  };
  // It is the last test, since the rejected ones leave their responders behind.
  for (let n = 0; n < 100; n += 1) {
    void takeNext(upstream).then((up) => {
      held.push(up);
      release();
    });
  }
  const streams = await Promise.all(Array.from({ length: 100 }, openOne));
  const done = streams.flatMap((events) => (events ? [joinText(parseChunks(events))] : []));
  expect(done.length).toBeGreaterThan(3);
  expect(done).toEqual(done.map(() => "a b"));
  const [row] = await hub.db.query<{ balance: number }>("SELECT balance::int FROM account WHERE id = $1", [
    customer.account,
  ]);
  expect(row!.balance).toBe(10_000_000 - done.length * 14_000);
});
