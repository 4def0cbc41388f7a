import { once } from "node:events";
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
async function readThrough(
  path: string,
  key: string,
  isDone: (events: StreamedEvent[]) => boolean,
  lastEventId?: string,
) {
  const events: StreamedEvent[] = [];
  while (!isDone(events)) {
    await served.ready();
    const leaving = new AbortController();
    const onEvent = (event: StreamedEvent) => {
      events.push(event);
      if (isDone(events)) leaving.abort();
    };
    const stream = await openStream(served, path, { key, lastEventId, signal: leaving.signal, onEvent }).catch(
      () => null,
    );
    if (!stream) continue;
    expect([200, 503]).toContain(stream.status);
    // The fetch of Node 20 does not always end the body of a response that is aborted while its server ends it.
    await Promise.race([stream.ended, once(leaving.signal, "abort")]);
    lastEventId = stream.lastId || lastEventId;
  }
  return events;
}

test("readers that resume after kill -9 get every change once and in order", async () => {
  const random = createRandom(seed);
  const { account, key } = await newCustomer(hub, { credit: 1_000 });
  const ctx: Ctx<Hub> = { hub, account: { id: account } as Account, actor: { kind: "user" }, requestId: "test" };
  const count = soakCount(5, 300);
  const start = async (prompt: string) =>
    (await startGeneration(ctx, { model: "sandbox-image", input: { prompt } }, null)).generation.id;
  const first = await start("[slow:2]");
  const countEnded = (events: StreamedEvent[], kind: string) =>
    events.filter(({ event, data }) => {
      const { id, completed_at } = kind === "webhook" && event === kind ? data.data : data;
      return event === kind && id !== first && completed_at !== null;
    }).length;
  const leaving = new AbortController();
  const beginning = await openStream(served, "/api/v1/hub/events/stream", { key, signal: leaving.signal });
  await expect.poll(() => beginning.lastId).not.toBe("");
  leaving.abort();
  const ofAccount = readThrough(
    "/api/v1/hub/events/stream",
    key,
    (events) => ["generation", "webhook"].every((kind) => countEnded(events, kind) === count),
    beginning.lastId,
  );
  const ofFirst = readThrough(`/api/v1/hub/generations/${first}/events`, key, (events) =>
    Boolean(events.at(-1)?.data.completed_at),
  );
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    ids.push(await start(`[slow:0.${n % 9}]`));
    if (random() < 0.15) {
      await served.kill9();
      await served.start();
    }
  }
  const events = await ofAccount;
  const sent = (kind: string, id: string) =>
    events.flatMap(({ event, data }) => {
      const record = event === "webhook" ? data.data : data;
      return event === kind && record.id === id ? [record.status] : [];
    });
  for (const id of ids) {
    expect({ id, changes: sent("generation", id) }).toEqual({ id, changes: ["queued", "running", "succeeded"] });
    expect({ id, envelopes: sent("webhook", id) }).toEqual({ id, envelopes: ["running", "succeeded"] });
  }
  const steps = new Set((await ofFirst).map(({ data }) => data.status));
  expect([...steps].filter((status) => status !== "queued")).toEqual(["running", "succeeded"]);
}, 240_000);
