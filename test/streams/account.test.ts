import { afterAll, expect, test } from "vitest";
import { followJobs } from "../../server/process/notifications";
import { purgeChanges } from "../../server/domain/streams/change-log";
import { callApi } from "../api/call";
import { type Customer, newCustomer } from "../api/customer";
import { openRunningHost } from "../api/hosts";
import { openStream, type StreamedEvent } from "./event-reader";

const host = await openRunningHost({ RUNNING_PER_ACCOUNT: "2" });
const { hub } = host;
hub.services.openStreams.beatMs = 200;
const stopFollowing = followJobs(hub, hub.databaseUrl);
afterAll(() => stopFollowing());

const PATH = "/api/v1/hub/events/stream";
const create = async ({ key }: Customer, prompt: string) => {
  const body = { model: "sandbox-image", input: { prompt } };
  return (await callApi(host, "POST", "/api/v1/hub/generations", { key, body })).body.id as string;
};
const chat = ({ key }: Customer) =>
  callApi(host, "POST", "/api/v1/hub/chat/completions", {
    key,
    body: { model: "sandbox-text", messages: [{ role: "user", content: "hello" }] },
  });
const follow = async (customer: Customer, lastEventId?: string, query = "", signal?: AbortSignal) => {
  const stream = await openStream(host, PATH + query, { key: customer.key, lastEventId, signal });
  // The first id is that of the position from which nothing is missed.
  await expect.poll(() => stream.status !== 200 || stream.lastId !== "").toBe(true);
  return stream;
};
/** Returns the statuses that were sent of each generation, in their order. */
const statusesOf = (events: StreamedEvent[], kind = "generation") => {
  const statuses: Record<string, string[]> = {};
  for (const { data } of events.filter(({ event }) => event === kind)) {
    const { id, status } = kind === "webhook" ? data.data : data;
    (statuses[id] ??= []).push(status);
  }
  return statuses;
};
const all = ["queued", "running", "succeeded"];

test("sends the changes of all generations, and the envelopes of the feed", async () => {
  const [customer, other] = [await newCustomer(hub), await newCustomer(hub)];
  const leaving = new AbortController();
  const stream = await follow(customer, undefined, "", leaving.signal);
  await create(other, "a pier");
  const ids = [await create(customer, "a pier"), await create(customer, "a quay"), await create(customer, "a bay")];
  const done = await chat(customer);
  expect(done.status).toBe(200);
  const chatId = done.body.id as string;
  for (const id of ids)
    await expect.poll(() => statusesOf(stream.events, "webhook")[id]).toEqual(["running", "succeeded"]);
  const expected = { ...Object.fromEntries(ids.map((id) => [id, all])), [chatId]: ["running", "succeeded"] };
  await expect.poll(() => statusesOf(stream.events)).toEqual(expected);
  leaving.abort();
  await stream.ended;
  const feed = await callApi(host, "GET", "/api/v1/hub/events", customer);
  const envelopes = stream.events.filter(({ event }) => event === "webhook").map(({ data }) => data);
  expect(envelopes).toEqual(feed.body.data);
  expect(new Set(stream.events.map(({ id }) => id)).size).toBe(stream.events.length);

  // From the id of any event on, the rest follows once and in order.
  for (const index of [0, 2, 5, stream.events.length - 1]) {
    const again = await follow(customer, stream.events[index]!.id);
    await readQuietly(again);
    expect(byLog(again.events, chatId)).toEqual(byLog(stream.events.slice(index + 1), chatId));
  }
});

/** Waits until a stream has had nothing to send for a while. */
async function readQuietly(stream: { text: string; events: unknown[] }): Promise<void> {
  const isQuiet = () => {
    const sinceData = stream.text.slice(Math.max(0, stream.text.lastIndexOf("data: ")));
    return sinceData.split(": keep-alive").length > 5;
  };
  await expect.poll(isQuiet, { timeout: 20_000 }).toBe(true);
}

/** Returns what was sent of each of the two logs that a stream reads: the order between them may differ. */
function byLog(events: StreamedEvent[], chatId: string): string[][] {
  const texts = events.map(({ event, data }) => ({
    isChange: event === "generation" && data.id !== chatId,
    text: `${event} ${data.id} ${data.status ?? data.event}`,
  }));
  return [true, false].map((wanted) => texts.filter(({ isChange }) => isChange === wanted).map(({ text }) => text));
}

test("without webhooks the account's events are not stored", async () => {
  const customer = await newCustomer(hub);
  const stream = await follow(customer, undefined, "?webhooks=false");
  const id = await create(customer, "a pier");
  await expect.poll(() => statusesOf(stream.events)[id], { timeout: 20_000 }).toEqual(all);
  expect(await hub.db.query("SELECT FROM event WHERE account_id = $1", [customer.account])).toEqual([]);
});

test("sends changes in no order but that of their commits, and loses none that is committed late", async () => {
  const customer = await newCustomer(hub);
  const stream = await follow(customer, undefined, "?webhooks=false");
  const ids = [await create(customer, "a pier [hang]"), await create(customer, "a quay [hang]")];
  await expect.poll(() => stream.events.length, { timeout: 20_000 }).toBe(4);
  const { lastId } = stream;
  const log = `INSERT INTO generation_change (xid, account_id, generation_id, step, read_at)
    SELECT pg_current_xact_id()::text::bigint, $1, $2, 2, now()`;
  await hub.db.transaction(async (early) => {
    await early.query(log, [customer.account, ids[0]]);
    // Committed first, with a later number.
    await hub.db.query(log, [customer.account, ids[1]]);
    const resumed = await follow(customer, lastId, "?webhooks=false");
    await readQuietly(resumed);
    expect([resumed.events, stream.events.length]).toEqual([[], 4]);
  });
  await expect.poll(() => stream.events.slice(4).map(({ data }) => data.id)).toEqual(ids);
  const late = await follow(customer, stream.events[4]!.id, "?webhooks=false");
  await expect.poll(() => late.events.map(({ data }) => data.id)).toEqual([ids[1]]);
});

test.each(["x", "1-2-3", "1-2-3-4-5", "9223372036854775808-1-1-1-1"])(
  "answers 400 to the Last-Event-ID %j",
  async (lastEventId) => {
    const customer = await newCustomer(hub);
    const reply = await callApi(host, "GET", PATH, { key: customer.key, headers: { "last-event-id": lastEventId } });
    expect([reply.status, Object.keys(reply.body.errors as object)]).toEqual([400, ["Last-Event-ID"]]);
  },
);

test("answers 400 to a position of another database", async () => {
  const customer = await newCustomer(hub);
  const lastEventId = `1-9000000000000-0-0-${Date.now()}`;
  const reply = await callApi(host, "GET", PATH, { key: customer.key, headers: { "last-event-id": lastEventId } });
  expect(reply.status).toBe(400);
});

test("the log is kept for days, and ends with the streams", async () => {
  const customer = await newCustomer(hub);
  const count = async () =>
    (await hub.db.query("SELECT FROM generation_change WHERE account_id = $1", [customer.account])).length;
  await create(customer, "a pier [hang]");
  expect(await count()).toBe(0);
  const leaving = new AbortController();
  const stream = await follow(customer, undefined, "?webhooks=false", leaving.signal);
  await create(customer, "a pier [hang]");
  await expect.poll(count).toBeGreaterThan(0);
  await purgeChanges(hub, 1_000);
  expect(await count()).toBeGreaterThan(0);
  // An open stream asks for the log again from time to time, and its end may still be under way.
  leaving.abort();
  await stream.ended;
  await expect
    .poll(async () => {
      hub.clock.advance(5 * 86_400_000);
      await purgeChanges(hub, 1_000);
      await create(customer, "a pier [hang]");
      return count();
    })
    .toBe(0);
});
