import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunningHub } from "../../e2e/server";
import { runAudit } from "../../server/domain/audit/audit";
import { type Customer, newCustomer } from "../api/customer";
import { joinText, openStream, parseChunks, type StreamReader } from "../openai/read-stream";
import { takeNext, type UpstreamStream, usageOf } from "../openai/stream-upstream";
import { sessionCookie } from "../session";
import { soakCount } from "../soak";
import { CHAT, userMessages } from "./host";
import { openProcessHub } from "./process-hub";
import { holdNext } from "./upstream";

/** How many streams of each dialect one kill interrupts. */
const STREAMS = soakCount(2, 200);

const { testHub, upstream, start } = await openProcessHub({ RATE_LIMIT_WRITES_PER_MINUTE: "100000" });
let hub: RunningHub;
let customer: Customer;
beforeAll(async () => {
  customer = await newCustomer(testHub);
  hub = await start();
});
// Each test begins with the hub that the one before has started.
afterAll(async () => {
  await hub.stop();
  expect(await runAudit(testHub.db)).toMatchObject({ violations: [], reserved: 0 });
});

const chat = (idempotencyKey: string, signal?: AbortSignal) =>
  send("hello", { "idempotency-key": idempotencyKey }, signal);
/** Sends the chat that a test has abandoned, again. */
const retry = (count: number) => send("abandoned", { "x-stainless-retry-count": String(count) });
const send = (content: string, headers: Record<string, string>, signal?: AbortSignal) =>
  fetch(hub.url + CHAT, {
    method: "POST",
    headers: { authorization: `Bearer ${customer.key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify({ model: "talk", messages: userMessages(content) }),
    signal,
  });
const chatInConsole = async (signal: AbortSignal) =>
  fetch(`${hub.url}/api/trpc/playground.chat`, {
    method: "POST",
    headers: { "content-type": "application/json", cookie: await sessionCookie(testHub, customer.account) },
    body: JSON.stringify({
      json: { idempotencyKey: "one press of a button", model: "talk", messages: userMessages("hello") },
    }),
    signal,
  });
const held = () => holdNext(upstream);
const reached = (count: number) => expect.poll(() => upstream.requests.length).toBe(count);

interface Row {
  status: string;
  billed: number | null;
  input_tokens: number | null;
  output_tokens: number | null;
}

const chats = () =>
  testHub.db.query<Row>(
    "SELECT status, billed_cost::int AS billed, input_tokens, output_tokens FROM generation WHERE account_id = $1 ORDER BY id",
    [customer.account],
  );
const running = async () => (await chats()).filter(({ status }) => status === "running");

test("a stop waits for streams, and for chats of connected clients and of disconnected ones, over REST and from the console", async () => {
  const taken = takeNext(upstream);
  const opening = openStream({
    url: hub.url,
    key: customer.key,
    body: { messages: userMessages("hello"), max_tokens: 100 },
  });
  const up = await taken;
  up.text("before");
  const stream = await opening;
  await stream.nextChunk();
  const [openOne, openOther, openThird] = [held(), held(), held()];
  const connected = chat("there");
  await reached(2);
  const client = new AbortController();
  const disconnected = chat("gone", client.signal).catch(() => null);
  await reached(3);
  const disconnectedConsole = chatInConsole(client.signal).catch(() => null);
  await reached(4);
  client.abort();
  await Promise.all([disconnected, disconnectedConsole]);
  const stopped = hub.stop();
  up.text(" after");
  up.finish(usageOf(10, 2));
  const events = await stream.rest();
  expect([joinText(parseChunks(events)), events.at(-1)]).toEqual([" after", "[DONE]"]);
  openOne();
  expect((await connected).status).toBe(200);
  openOther();
  await expect.poll(running).toHaveLength(1);
  openThird();
  expect(await stopped).toBe(0);
  const ended = await chats();
  expect(ended.map(({ status }) => status)).toEqual(Array(4).fill("succeeded"));
  expect(ended[0]).toMatchObject({ billed: 14_000, input_tokens: 10, output_tokens: 2 });

  hub = await start();
  for (const key of ["there", "gone"]) expect((await chat(key)).headers.get("idempotent-replayed")).toBe("true");
  expect(upstream.requests.length).toBe(4);
});

/** How streams of a dialect are requested, and how its provider answers. */
interface Dialect {
  path: string;
  body: object;
  begin: (up: UpstreamStream, text: string) => void;
  add: (up: UpstreamStream, text: string) => void;
}

const asChat = {
  begin: (up: UpstreamStream, text: string) => up.text(text),
  add: (up: UpstreamStream, text: string) => up.text(text),
};
const at = { item_id: "msg_up", output_index: 0, content_index: 0 };
const messages = { path: "/v1/messages", body: { messages: userMessages("hello"), max_tokens: 100 } };
const responses = { path: "/v1/responses", body: { input: "hello", max_output_tokens: 100 } };
const blockDelta = (text: string) => ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } });
const dialects: Record<string, Dialect> = {
  chats: { path: "/v1/chat/completions", body: { messages: userMessages("hello"), max_tokens: 100 }, ...asChat },
  Messages: { ...messages, ...asChat },
  Responses: { ...responses, ...asChat },
  "Messages as they are": {
    path: messages.path,
    body: { ...messages.body, model: "native-messages" },
    begin(up, text) {
      const message = {
        type: "message",
        role: "assistant",
        content: [],
        usage: { input_tokens: 10, output_tokens: 1 },
      };
      up.event({ type: "message_start", message });
      up.event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } });
      up.event(blockDelta(text));
    },
    add: (up, text) => up.event(blockDelta(text)),
  },
  "Responses as they are": {
    path: responses.path,
    body: { ...responses.body, model: "native-responses" },
    begin(up, text) {
      up.event({ type: "response.created", response: { id: "resp_up", output: [] } });
      up.event({ type: "response.output_text.delta", ...at, delta: text });
    },
    add: (up, text) => up.event({ type: "response.output_text.delta", ...at, delta: text }),
  },
};

/** Opens streams of all dialects whose clients have read "one two three" and, without a further lease, " four five". */
async function openAll(): Promise<StreamReader[]> {
  const readers: StreamReader[] = [];
  for (const [name, { path, body, begin, add }] of Object.entries(dialects)) {
    const ups: UpstreamStream[] = [];
    for (let n = 0; n < STREAMS; n += 1)
      void takeNext(upstream).then((up) => (ups.push(up), begin(up, "one two three")));
    const opened = await Promise.all(
      Array.from({ length: STREAMS }, (_, n) =>
        openStream({ url: hub.url, path, key: customer.key, body: { ...body }, headers: headersOf(name, n) }),
      ),
    );
    for (const stream of opened) await readUntil(stream, "one two three");
    await expect.poll(leased, { timeout: 20_000 }).toHaveLength(readers.length + STREAMS);
    for (const up of ups) add(up, " four five");
    for (const stream of opened) await readUntil(stream, " four five");
    readers.push(...opened);
  }
  return readers;
}

const headersOf = (name: string, n: number) => ({ "idempotency-key": `killed ${name} ${n}` });
// The lease of earlier streams may have been renewed meanwhile.
const leased = async () =>
  (await chats()).filter(({ status, output_tokens }) => status === "running" && output_tokens! >= 3);

async function readUntil(stream: StreamReader, text: string): Promise<void> {
  for (let event = await stream.next(); !event?.includes(text); event = await stream.next())
    if (event === null) throw new Error("the stream ended early");
}

describe("after kill -9", () => {
  let before: number;
  let streams: StreamReader[];
  let requestCount: number;

  test(
    "no client gets a response, nor a retry that waits",
    async () => {
      before = (await chats()).length;
      streams = await openAll();
      held();
      requestCount = upstream.requests.length;
      const lost = [chat("killed").catch(() => null)];
      await reached(requestCount + 1);
      held();
      const client = new AbortController();
      const abandoned = send("abandoned", {}, client.signal).catch(() => null);
      await reached(requestCount + 2);
      client.abort();
      await abandoned;
      lost.push(retry(1).catch(() => null));
      await expect.poll(joinableAt).toBeGreaterThan(Date.now());
      await hub.kill9();
      for (const stream of streams) await stream.rest().catch(() => []);
      expect(await Promise.all(lost)).toEqual([null, null]);
      // Simulates the minute after which neither a chat without renewals nor the retry's claim is valid.
      await testHub.db.query(`
        UPDATE generation SET deadline_at = deadline_at - interval '1 minute', joinable_at = joinable_at - interval '1 minute'
        WHERE status = 'running'`);
      hub = await start();
    },
    soakCount(120_000, 600_000),
  );

  /** Returns when the retry's claim on the abandoned chat, which is the newest generation, ends. */
  const joinableAt = async () => {
    const [row] = await testHub.db.query<{ at: Date | null }>(
      "SELECT joinable_at AS at FROM generation ORDER BY id DESC LIMIT 1",
    );
    return row!.at?.getTime() ?? 0;
  };

  test("a retry gets the failure of the chat that it repeats, and the next one is charged once", async () => {
    const failed = await retry(2);
    expect([failed.status, failed.headers.get("idempotent-replayed")]).toEqual([503, "true"]);
    await expect.poll(joinableAt).toBe(0);
    const again = await retry(3);
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, null]);
    expect((await chats()).at(-1)).toMatchObject({ status: "succeeded" });
    expect(upstream.requests.length).toBe(requestCount + 3);
  });

  test("the sweep ends the chat, releases its hold and frees its key", async () => {
    const killed = async () => (await chats())[before + streams.length];
    await expect.poll(killed).toMatchObject({ status: "failed", billed: 0 });
    const again = await chat("killed");
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, null]);
  });

  test(
    "the sweep charges streams of each dialect for what they had counted, and frees their keys",
    async () => {
      // The sweep ends them in portions.
      await expect.poll(running, { timeout: soakCount(20_000, 120_000) }).toEqual([]);
      for (const { status, billed, input_tokens, output_tokens } of (await chats())
        .slice(before)
        .slice(0, streams.length)) {
        expect([status, billed]).toEqual(["canceled", 1_000 * input_tokens! + 2_000 * output_tokens!]);
        // The lease had three tokens, and each client has read five.
        expect([3, 4, 5]).toContain(output_tokens);
        expect(input_tokens).toBeGreaterThan(0);
      }
      for (const [name, { path, body, begin }] of Object.entries(dialects)) {
        const taken = takeNext(upstream);
        const opening = openStream({
          url: hub.url,
          path,
          key: customer.key,
          body: { ...body },
          headers: headersOf(name, 0),
        });
        begin(await taken, "again");
        const again = await opening;
        expect(again.response.headers.get("idempotent-replayed")).toBeNull();
        await readUntil(again, "again");
        again.leave();
      }
      await expect.poll(running, { timeout: 20_000 }).toEqual([]);
    },
    soakCount(60_000, 600_000),
  );
});
