import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { RunningHub } from "../../e2e/server";
import { runAudit } from "../../server/domain/audit/audit";
import { type Customer, newCustomer } from "../api/customer";
import { userMessages } from "../chat/host";
import { openProcessHub } from "../chat/process-hub";
import { soakCount } from "../soak";
import { joinText, openStream, parseChunks, type StreamReader } from "./read-stream";
import { takeNext, type UpstreamStream, usageOf } from "./stream-upstream";

/** Streams of each dialect that one kill interrupts. */
const STREAMS = soakCount(2, 200);

const { testHub, upstream, start } = await openProcessHub({ RATE_LIMIT_WRITES_PER_MINUTE: "100000" });
let hub: RunningHub;
let customer: Customer;
beforeAll(async () => {
  customer = await newCustomer(testHub);
});
beforeEach(async () => {
  hub = await start();
});
afterEach(async () => {
  await hub.stop();
});

const open = (headers?: Record<string, string>) =>
  openStream({ url: hub.url, key: customer.key, body: { messages: userMessages("hello"), max_tokens: 100 }, headers });

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

test("a stop lets streams end", async () => {
  const taken = takeNext(upstream);
  const opening = open();
  const up = await taken;
  up.text("before");
  const stream = await opening;
  await stream.nextChunk();
  const stopped = hub.stop();
  up.text(" after");
  up.finish(usageOf(10, 2));
  const events = await stream.rest();
  expect([joinText(parseChunks(events)), events.at(-1)]).toEqual([" after", "[DONE]"]);
  expect(await stopped).toBe(0);
  expect((await chats()).at(-1)).toEqual({ status: "succeeded", billed: 14_000, input_tokens: 10, output_tokens: 2 });
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

test(
  "after kill -9 the sweep charges streams of each dialect for what they had counted, and frees their keys",
  async () => {
    const before = (await chats()).length;
    const streams = await openAll();
    await hub.kill9();
    for (const stream of streams) await stream.rest().catch(() => []);
    // Simulates the minute after which a chat without renewals is ended.
    await testHub.db.query(
      "UPDATE generation SET deadline_at = deadline_at - interval '1 minute' WHERE status = 'running'",
    );
    hub = await start();
    const running = async () => (await chats()).filter(({ status }) => status === "running");
    // The sweep ends them in portions.
    await expect.poll(running, { timeout: soakCount(20_000, 120_000) }).toEqual([]);
    const ended = (await chats()).slice(before);
    expect(ended).toHaveLength(streams.length);
    for (const { status, billed, input_tokens, output_tokens } of ended) {
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
    expect(await runAudit(testHub.db)).toMatchObject({ violations: [], reserved: 0 });
  },
  soakCount(60_000, 600_000),
);
