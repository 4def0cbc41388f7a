import { afterAll, expect, test } from "vitest";
import type { Account, Ctx } from "../../server/context";
import { startGeneration } from "../../server/domain/generations/intake/start";
import type { Hub } from "../../server/domain/hub";
import { newCustomer } from "../api/customer";
import { runningHub } from "../engine";
import { createRandom } from "../random";
import { seed, soakCount } from "../soak";
import { openStream, type StreamedEvent } from "./event-reader";
import { forkHub } from "./fork-hub";

// Jobs run in this process, and streams are served by one that is killed again and again.
const hub = await runningHub({ RUNNING_PER_ACCOUNT: "5" });
const served = await forkHub(hub);
afterAll(() => served.kill9());

/** Reads a stream until `isDone`, and opens it again from its last event whenever it breaks. */
async function readThrough(path: string, key: string, isDone: (events: StreamedEvent[]) => boolean) {
  const events: StreamedEvent[] = [];
  const leaving = new AbortController();
  let lastEventId: string | undefined;
  while (!isDone(events)) {
    await served.ready();
    const stream = await openStream(served, path, { key, lastEventId, signal: leaving.signal }).catch(() => null);
    if (!stream) continue;
    expect([200, 204, 503]).toContain(stream.status);
    const done = expect.poll(() => isDone([...events, ...stream.events]), { timeout: 120_000 }).toBe(true);
    await Promise.race([stream.ended, done]);
    events.push(...stream.events);
    lastEventId = stream.lastId || lastEventId;
    done.catch(() => undefined);
  }
  leaving.abort();
  return events;
}

test("readers that resume after kill -9 get every change once and in order", async () => {
  const random = createRandom(seed);
  const { account, key } = await newCustomer(hub, { credit: 1_000 });
  const ctx: Ctx<Hub> = { hub, account: { id: account } as Account, actor: { kind: "user" }, requestId: "test" };
  const count = soakCount(15, 300);
  const first = (await startGeneration(ctx, { model: "sandbox-image", input: { prompt: "[slow:2]" } }, null))
    .generation;
  const ofAccount = readThrough(
    "/api/v1/hub/events/stream",
    key,
    (events) => new Set(events.filter(({ event, data }) => event === "webhook" && data.data.completed_at).map(({ data }) => data.data.id as string)).size > count, // prettier-ignore
  );
  const ofFirst = readThrough(`/api/v1/hub/generations/${first.id}/events`, key, (events) =>
    Boolean(events.at(-1)?.data.completed_at),
  );
  await expect.poll(async () => (await hub.db.query("SELECT FROM account WHERE changes_read_at IS NOT NULL")).length).toBe(1); // prettier-ignore
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const { generation } = await startGeneration(ctx, { model: "sandbox-image", input: { prompt: `[slow:0.${n % 9}]` } }, null); // prettier-ignore
    ids.push(generation.id);
    if (random() < 0.15) {
      await served.kill9();
      await served.start();
    }
  }
  const events = await ofAccount;
  const sent = (kind: string, id: string) =>
    events.flatMap(({ event, data }) => {
      const record = event === "webhook" ? data.data : data;
      return event === kind && record.id === id ? [record.status as string] : [];
    });
  for (const id of ids) {
    expect({ id, changes: sent("generation", id) }).toEqual({ id, changes: ["queued", "running", "succeeded"] });
    expect({ id, envelopes: sent("webhook", id) }).toEqual({ id, envelopes: ["running", "succeeded"] });
  }
  const steps = new Set((await ofFirst).map(({ data }) => data.status as string));
  expect([...steps].filter((status) => status !== "queued")).toEqual(["running", "succeeded"]);
}, 240_000);
