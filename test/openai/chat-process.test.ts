import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { RunningHub } from "../../e2e/server";
import { runAudit } from "../../server/domain/audit/audit";
import { type Customer, newCustomer } from "../api/customer";
import { userMessages } from "../chat/host";
import { openProcessHub } from "../chat/process-hub";
import { soakCount } from "../soak";
import { joinText, openStream, parseChunks } from "./read-stream";
import { takeNext, type UpstreamStream, usageOf } from "./stream-upstream";

/** Streams that one kill interrupts. */
const STREAMS = soakCount(5, 200);

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
  output_tokens: number | null;
}

const chats = () =>
  testHub.db.query<Row>(
    "SELECT status, billed_cost::int AS billed, output_tokens FROM generation WHERE account_id = $1 ORDER BY id",
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
  expect((await chats()).at(-1)).toEqual({ status: "succeeded", billed: 14_000, output_tokens: 2 });
});

test("after kill -9 the sweep charges streams for what they had counted, and frees their keys", async () => {
  const before = (await chats()).length;
  const ups: UpstreamStream[] = [];
  for (let n = 0; n < STREAMS; n += 1) void takeNext(upstream).then((up) => (ups.push(up), up.text("one two three")));
  const headers = (n: number) => ({ "idempotency-key": `killed ${n}` });
  const streams = await Promise.all(Array.from({ length: STREAMS }, (_, n) => open(headers(n))));
  for (const stream of streams) expect((await stream.nextChunk()).choices[0]!.delta.content).toBe("one two three");
  const counted = async () => (await chats()).filter(({ status, output_tokens }) => status === "running" && output_tokens === 3); // prettier-ignore
  await expect.poll(counted).toHaveLength(STREAMS);
  await hub.kill9();
  for (const stream of streams) await stream.rest().catch(() => []);
  // Simulates the minute after which a chat without renewals is ended.
  await testHub.db.query(
    "UPDATE generation SET deadline_at = deadline_at - interval '1 minute' WHERE status = 'running'",
  );
  hub = await start();
  const running = async () => (await chats()).filter(({ status }) => status === "running");
  await expect.poll(running, { timeout: 20_000 }).toEqual([]);
  const ended = (await chats()).slice(before);
  expect(ended).toHaveLength(STREAMS);
  for (const row of ended) {
    expect(row).toMatchObject({ status: "canceled", output_tokens: 3 });
    expect(row.billed).toBeGreaterThan(6_000);
  }
  const taken = takeNext(upstream);
  const opening = open(headers(0));
  const up = await taken;
  up.text("again");
  up.finish(usageOf(1, 1));
  const again = await opening;
  expect(again.response.headers.get("idempotent-replayed")).toBeNull();
  expect(joinText(parseChunks(await again.rest()))).toBe("again");
  expect(await runAudit(testHub.db)).toMatchObject({ violations: [], reserved: 0 });
});
