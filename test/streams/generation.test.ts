import { afterAll, expect, test } from "vitest";
import { followJobs } from "../../server/process/notifications";
import { callApi } from "../api/call";
import { type Customer, newCustomer } from "../api/customer";
import { openRunningHost } from "../api/hosts";
import { openStream } from "./event-reader";

const host = await openRunningHost({ STREAMS_PER_ACCOUNT: "3", RUNNING_PER_ACCOUNT: "1" });
const { hub } = host;
hub.services.openStreams.beatMs = 200;
const stopFollowing = followJobs(hub, hub.databaseUrl);
afterAll(() => stopFollowing());

const PATH = "/api/v1/hub/generations";
const create = async ({ key }: Customer, prompt: string) =>
  (await callApi(host, "POST", PATH, { key, body: { model: "sandbox-image", input: { prompt } } })).body.id as string;
const follow = (id: string, options: Parameters<typeof openStream>[2]) =>
  openStream(host, `${PATH}/${id}/events`, options);
const statusesOf = (events: { data: { status: string } }[]) =>
  events.map(({ data }) => data.status).filter((status, index, all) => status !== all[index - 1]);

test("sends the record at once, then each change, and ends after the final record", async () => {
  const customer = await newCustomer(hub);
  await create(customer, "first [slow:1]");
  const id = await create(customer, "a pier [slow:1]");
  const stream = await follow(id, customer);
  expect(stream.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  expect(await stream.ended).toBe("ended");
  expect(statusesOf(stream.events)).toEqual(["queued", "running", "succeeded"]);
  expect(new Set(stream.events.map(({ event }) => event))).toEqual(new Set(["generation"]));
  expect(stream.events.at(-1)!.data).toEqual((await callApi(host, "GET", `${PATH}/${id}`, customer)).body);
  const progress = stream.events.map(({ data }) => data.progress).filter((share) => share !== null);
  expect(progress).toEqual(progress.toSorted((a, b) => a - b));

  // Whoever has the final record already has nothing to wait for.
  const again = await follow(id, { ...customer, lastEventId: stream.lastId });
  expect([again.status, again.text]).toEqual([204, ""]);
}, 30_000);

test("a reader that comes back gets what it missed, once and in order", async () => {
  const customer = await newCustomer(hub);
  const first = await create(customer, "first [hang]");
  const id = await create(customer, "a pier");
  const leaving = new AbortController();
  const before = await follow(id, { ...customer, signal: leaving.signal });
  await expect.poll(() => statusesOf(before.events)).toEqual(["queued"]);
  leaving.abort();
  await before.ended;
  const stop = { key: customer.key, body: { stop_running: true } };
  expect((await callApi(host, "POST", `${PATH}/${first}/cancel`, stop)).status).toBe(200);
  const read = async () => (await callApi(host, "GET", `${PATH}/${id}`, customer)).body.status;
  await expect.poll(read, { timeout: 20_000 }).toBe("succeeded");
  const after = await follow(id, { ...customer, lastEventId: before.lastId });
  expect(await after.ended).toBe("ended");
  expect(after.events.map(({ data }) => data.status)).toEqual(["running", "succeeded"]);
  expect(after.events[0]!.data).toMatchObject({ billed_cost: null, completed_at: null, outputs: [] });
}, 30_000);

test("finds a change that no process has announced", async () => {
  const customer = await newCustomer(hub);
  const id = await create(customer, "a pier [hang]");
  const stream = await follow(id, customer);
  await expect.poll(() => stream.events.at(-1)?.data.status).toBe("running");
  await hub.db.query("UPDATE generation SET progress = 0.5 WHERE id = $1", [id]);
  await expect.poll(() => stream.events.at(-1)!.data.progress, { timeout: 10_000 }).toBe(0.5);
});

test.each(["x", "-1", "1.5", "99999999999", "1 2"])("answers 400 to the Last-Event-ID %j", async (lastEventId) => {
  const customer = await newCustomer(hub);
  const id = await create(customer, "a pier [hang]");
  const reply = await callApi(host, "GET", `${PATH}/${id}/events`, {
    ...customer,
    headers: { "last-event-id": lastEventId },
  });
  expect([reply.status, Object.keys(reply.body.errors as object)]).toEqual([400, ["Last-Event-ID"]]);
});

test("another account's generation and a missing one are 404 alike", async () => {
  const [owner, other] = [await newCustomer(hub), await newCustomer(hub)];
  const id = await create(owner, "a pier [hang]");
  for (const path of [id, "019aa535-6c00-7a3e-9b11-5a4f6e0c2d11", "x"]) {
    const reply = await callApi(host, "GET", `${PATH}/${path}/events`, other);
    expect([reply.status, reply.body.code]).toEqual([404, "generation_not_found"]);
  }
  const head = await fetch(`${host.url}${PATH}/${id}/events`, {
    method: "HEAD",
    headers: { authorization: `Bearer ${owner.key}` },
  });
  expect([head.status, head.headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
});

test("an account has a limit of streams, and one that is left makes room", async () => {
  const customer = await newCustomer(hub);
  const id = await create(customer, "a pier [hang]");
  const leaving = new AbortController();
  for (let n = 0; n < 3; n += 1)
    expect((await follow(id, { ...customer, signal: n === 0 ? leaving.signal : undefined })).status).toBe(200);
  const reply = await callApi(host, "GET", `${PATH}/${id}/events`, customer);
  expect([reply.status, reply.body.code]).toEqual([429, "rate_limited"]);
  leaving.abort();
  await expect.poll(async () => (await follow(id, customer)).status).toBe(200);
});

test("a revoked key ends its streams, and so does the stop of the process", async () => {
  const [revoked, kept] = [await newCustomer(hub), await newCustomer(hub)];
  const streams = [
    await follow(await create(revoked, "a pier [hang]"), revoked),
    await follow(await create(kept, "a pier [hang]"), kept),
  ];
  await expect.poll(() => streams.map(({ events }) => events.length > 0)).toEqual([true, true]);
  await hub.db.query("UPDATE api_key SET revoked_at = now() WHERE id = $1", [revoked.keyId]);
  expect(await streams[0]!.ended).toBe("ended");
  expect(streams[1]!.text).toContain(": keep-alive");
  hub.services.openStreams.close();
  expect(await streams[1]!.ended).toBe("ended");
});
