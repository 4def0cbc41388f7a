import { expect, test } from "vitest";
import { callApi } from "../api/call";
import { newCustomer } from "../api/customer";
import { openRunningHost } from "../api/hosts";
import { soakCount } from "../soak";

const host = await openRunningHost({ RUNNING_PER_ACCOUNT: "5000" });
const PATH = "/api/v1/hub/generations";

const create = (key: string, prompt: string, prefer: string, headers: Record<string, string> = {}) =>
  callApi(host, "POST", PATH, {
    key,
    body: { model: "sandbox-image", input: { prompt } },
    headers: { prefer, ...headers },
  });

test("answers 200 with the final generation as soon as it has ended", async () => {
  const { key } = await newCustomer(host.hub);
  const { status, headers, body } = await create(key, "a pier", "wait=30");
  expect([status, headers.get("preference-applied"), body.status]).toEqual([200, "wait=30", "succeeded"]);
  expect(body.outputs).toHaveLength(1);
  expect((await callApi(host, "GET", headers.get("location")!, { key })).body).toEqual(body);
});

test("answers 200 with a generation that failed", async () => {
  const { key } = await newCustomer(host.hub);
  const { status, body } = await create(key, "a pier [fail]", "wait");
  expect([status, body.status]).toEqual([200, "failed"]);
});

test("answers 202 when the time is over, and when nothing valid is preferred", async () => {
  const { key } = await newCustomer(host.hub);
  const late = await create(key, "a pier [hang]", "wait=1");
  expect([late.status, late.headers.get("preference-applied")]).toEqual([202, "wait=1"]);
  const ignored = await create(key, "a pier [hang]", "wait=soon");
  expect([ignored.status, ignored.headers.get("preference-applied")]).toEqual([202, null]);
});

test("a repeated request is answered as without the preference", async () => {
  const { key } = await newCustomer(host.hub);
  const again = { "idempotency-key": "one" };
  const first = await create(key, "a pier", "wait=30", again);
  const second = await create(key, "a pier", "wait=30", again);
  expect(second.body).toEqual(first.body);
  expect([second.status, second.headers.get("idempotent-replayed"), second.headers.get("preference-applied")]).toEqual([
    200,
    "true",
    null,
  ]);
  await create(key, "a quay [hang]", "", { "idempotency-key": "two" });
  const busy = await create(key, "a quay [hang]", "wait=30", { "idempotency-key": "two" });
  expect([busy.status, busy.body.code]).toEqual([503, "generation_in_progress"]);
});

test("a client that leaves frees its place and stops nothing", async () => {
  const { key } = await newCustomer(host.hub);
  const leaving = new AbortController();
  const waiting = fetch(`${host.url}${PATH}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", prefer: "wait=60" },
    body: JSON.stringify({ model: "sandbox-image", input: { prompt: "a lighthouse [slow:1]" } }),
    signal: leaving.signal,
  }).catch((error: Error) => error.name);
  await expect.poll(() => host.hub.services.endWaiters.count()).toBe(1);
  leaving.abort();
  expect(await waiting).toBe("AbortError");
  await expect.poll(() => host.hub.services.endWaiters.count()).toBe(0);
  const statusOfAll = async () => {
    const { data } = (await callApi(host, "GET", PATH, { key })).body as { data: { status: string }[] };
    return data.map(({ status }) => status);
  };
  await expect.poll(statusOfAll, { timeout: 20_000 }).toEqual(["succeeded"]);
});

test("many wait at once, without a place among the requests under way; more than may wait get 202", async () => {
  const count = soakCount(60, 2_000);
  const { key } = await newCustomer(host.hub, { credit: 10_000 });
  const replies: ReturnType<typeof create>[] = [];
  // Client and server share this thread, which accepts a limited number of connections at once.
  while (replies.length < count) {
    const wave = Math.min(100, count - replies.length);
    replies.push(...Array.from({ length: wave }, () => create(key, "a pier [hang]", "wait=60")));
    await expect.poll(() => host.hub.services.endWaiters.count(), { timeout: 20_000 }).toBe(replies.length);
  }
  if (count === 2_000) {
    const { status, headers } = await create(key, "a pier [hang]", "wait=60");
    expect([status, headers.get("preference-applied")]).toEqual([202, null]);
  }
  host.hub.services.endWaiters.close();
  const statuses = new Set((await Promise.all(replies)).map(({ status }) => status));
  expect([...statuses]).toEqual([202]);
  // After the process has begun to stop, nobody waits.
  expect((await create(key, "a pier [hang]", "wait=60")).status).toBe(202);
}, 240_000);
