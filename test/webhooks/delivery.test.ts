import { expect, test } from "vitest";
import { getStoredGeneration } from "../../server/domain/generations/get";
import { serializeGeneration } from "../../server/domain/generations/serialize-generation";
import type { HubEvent } from "../../inngest/events";
import { attemptDelivery } from "../../server/domain/webhooks/attempt";
import { listDeliveries } from "../../server/domain/webhooks/delivery";
import { listEndpoints } from "../../server/domain/webhooks/find-endpoints";
import { redeliverDelivery } from "../../server/domain/webhooks/redeliver";
import { revokeEndpoint } from "../../server/domain/webhooks/revoke";
import { rotateSecret } from "../../server/domain/webhooks/rotate-secret";
import { sendTest } from "../../server/domain/webhooks/send-test";
import { newId } from "../../server/lib/id";
import { runningHub } from "../engine";
import { newFollower } from "./follower";
import { openReceiver } from "./receiver";
import { verdicts, verifyEverywhere } from "./verify";

const receivers = await Promise.all(Array.from({ length: 12 }, () => openReceiver()));
const hub = await runningHub({ OUTBOUND_ALLOW_HOSTS: receivers.map(({ host }) => host).join(",") });
const deliveriesTo = async (ctx: Parameters<typeof listDeliveries>[0], id: string) =>
  (await listDeliveries(ctx, id, { limit: 100 })).data;

test("execution and its end are told, each with the whole generation as it was, signed", async () => {
  const [receiver] = receivers;
  const follower = await newFollower(hub);
  const { secret } = await follower.register(receiver!.url);
  const id = await follower.queue({ prompt: 'gr\u00fc\u00df "dich" \u2028 \ud83c\udf32', deep: [1, { a: null }] });
  await follower.begin(id);
  const running = serializeGeneration(hub, await getStoredGeneration(follower.ctx, id));
  await follower.succeed(id);
  const completed = serializeGeneration(hub, await getStoredGeneration(follower.ctx, id));
  await expect.poll(() => receiver!.events().sort()).toEqual(["generation.completed", "generation.running"]);
  for (const { headers, body } of receiver!.received) {
    const envelope = JSON.parse(body.toString()) as Record<string, unknown>;
    const event = headers["x-service-event"];
    expect(envelope).toEqual({
      id: headers["x-service-delivery"],
      event,
      created_at: event === "generation.running" ? running.started_at : completed.completed_at,
      data: event === "generation.running" ? running : completed,
    });
    expect(Object.keys(envelope)).toEqual(["id", "event", "created_at", "data"]);
    expect(headers["content-type"]).toBe("application/json");
    await verifyEverywhere(secret, headers, body);
  }
  expect(running.status).toBe("running");
  expect(completed).toMatchObject({ status: "succeeded", billed_cost: completed.estimated_cost });
});

test("a generation canceled in the queue has no start to tell; each endpoint gets what it subscribed to", async () => {
  const [, first, second] = receivers;
  const follower = await newFollower(hub);
  await follower.register(first!.url, ["generation.running"]);
  await follower.register(second!.url, ["generation.completed"]);
  const [canceled, executed] = [await follower.queue(), await follower.queue()];
  await follower.cancel(canceled);
  await follower.begin(executed);
  await follower.succeed(executed);
  await expect.poll(() => second!.received.length).toBe(2);
  await expect.poll(() => first!.received.length).toBe(1);
  const told = (receiver: typeof first) =>
    receiver!.received
      .map(({ body }) => (JSON.parse(body.toString()) as { data: { id: string; status: string } }).data)
      .map(({ id, status }) => ({ id, status }));
  expect(told(first)).toEqual([{ id: executed, status: "running" }]);
  expect(told(second)).toHaveLength(2);
  expect(told(second)).toEqual(
    expect.arrayContaining([
      { id: canceled, status: "canceled" },
      { id: executed, status: "succeeded" },
    ]),
  );
});

test("an account that follows nothing costs nothing: no event is written", async () => {
  const follower = await newFollower(hub);
  const id = await follower.queue();
  await follower.begin(id);
  await follower.succeed(id);
  expect(await hub.db.query("SELECT FROM event WHERE account_id = $1", [follower.ctx.account.id])).toEqual([]);
});

test("what is rolled back is not told", async () => {
  const follower = await newFollower(hub);
  await follower.register(receivers[3]!.url);
  const id = await follower.queue();
  await follower.cancel(id);
  expect(await follower.succeed(id)).toBeNull();
  await follower.begin(id);
  await expect.poll(() => receivers[3]!.events()).toEqual(["generation.completed"]);
  expect(await hub.db.query("SELECT name FROM event WHERE generation_id = $1", [id])).toEqual([
    { name: "generation.completed" },
  ]);
});

test("a rotated secret: both sign for 24 hours, then the new one alone", async () => {
  const receiver = receivers[4]!;
  const follower = await newFollower(hub);
  const { id, secret: old } = await follower.register(receiver.url);
  const { secret } = await rotateSecret(follower.ctx, id);
  expect(secret).not.toBe(old);
  await sendTest(follower.ctx, id);
  await expect.poll(() => receiver.received.length).toBe(1);
  const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]];
  await verifyEverywhere(secret, headers, body);
  await verifyEverywhere(old, { ...headers, "x-service-signature": headers["x-service-signature-previous"] }, body);

  hub.clock.advance(24 * 3_600_000 + 1_000);
  await sendTest(follower.ctx, id);
  await expect.poll(() => receiver.received.length).toBe(2);
  const later = receiver.received[1]!;
  // The others refuse a timestamp that is a day ahead of theirs.
  expect(await verdicts(secret, later.headers, later.body)).toMatchObject({ octokit: true });
  expect(await verdicts(old, later.headers, later.body)).toMatchObject({ octokit: false });
  expect(later.headers).not.toHaveProperty("x-service-signature-previous");
  expect(later.headers["webhook-signature"]).not.toContain(" ");
});

test("a test is tried once, and its failure stands in last_error and in the log", async () => {
  const receiver = receivers[5]!;
  receiver.answer = (response) => void response.writeHead(500).end("not \0 today");
  const follower = await newFollower(hub);
  const { id } = await follower.register(receiver.url, ["generation.running"]);
  const sent = await sendTest(follower.ctx, id);
  expect(sent).toMatchObject({ event: "webhook.test", state: "pending", generation_id: null });
  await expect
    .poll(async () => (await listEndpoints(follower.ctx))[0]!.last_error)
    .toMatchObject({
      event: "webhook.test",
      delivery_id: sent.id,
      attempts: 1,
      status: 500,
      message: "The receiver answered 500.",
    });
  expect(receiver.events()).toEqual(["webhook.test"]);
  const [delivery] = await deliveriesTo(follower.ctx, id);
  expect(delivery).toMatchObject({ id: sent.id, state: "failed", next_attempt_at: null });
  expect(delivery!.attempts).toMatchObject([{ status: 500, response: "not \ufffd today", error: null }]);
});

test("a redelivery keeps id and bytes, and has its attempts before it again", async () => {
  const receiver = receivers[6]!;
  receiver.answer = (response) => void response.writeHead(404).end();
  const follower = await newFollower(hub);
  const { id } = await follower.register(receiver.url, ["generation.completed"]);
  await follower.cancel(await follower.queue());
  await expect.poll(async () => (await deliveriesTo(follower.ctx, id))[0]?.state).toBe("failed");
  receiver.answer = (response) => void response.writeHead(200).end("fine");
  const [delivery] = await deliveriesTo(follower.ctx, id);
  expect(await redeliverDelivery(follower.ctx, delivery!.id)).toMatchObject({
    id: delivery!.id,
    state: "pending",
    round: 2,
  });
  await expect.poll(async () => (await deliveriesTo(follower.ctx, id))[0]!.state).toBe("succeeded");
  const [first, second] = receiver.received;
  expect(second!.body).toEqual(first!.body);
  expect(second!.headers["x-service-delivery"]).toBe(first!.headers["x-service-delivery"]);
  expect((await deliveriesTo(follower.ctx, id))[0]!.attempts.map(({ status }) => status)).toEqual([404, 200]);
});

test("a revocation drops what is pending, in the middle of its waits", async () => {
  const receiver = receivers[7]!;
  const witness = receivers[8]!;
  receiver.answer = (response) => void response.writeHead(503).end();
  const follower = await newFollower(hub);
  const { id } = await follower.register(receiver.url);
  await follower.register(witness.url);
  await follower.cancel(await follower.queue());
  await expect.poll(async () => (await deliveriesTo(follower.ctx, id))[0]?.attempts.length).toBe(1);
  await revokeEndpoint(follower.ctx, id);
  const [pending] = await deliveriesTo(follower.ctx, id);
  expect(pending).toMatchObject({ state: "canceled", next_attempt_at: null });

  hub.clock.advance(60_000);
  await follower.cancel(await follower.queue());
  await expect.poll(() => witness.received.length).toBe(2);
  expect(receiver.received).toHaveLength(1);
  expect(await deliveriesTo(follower.ctx, id)).toHaveLength(1);
  await expect(redeliverDelivery(follower.ctx, pending!.id)).rejects.toMatchObject({ code: "resource_not_found" });
});

test("a delivery that was written in the moment of the revocation is dropped, not sent", async () => {
  const [receiver] = receivers;
  const follower = await newFollower(hub);
  const { id } = await follower.register(receiver!.url);
  await hub.db.query("UPDATE endpoint SET revoked_at = $2 WHERE id = $1", [id, hub.now()]);
  const before = receiver!.received.length;
  const delivery = newId();
  await hub.db.query(
    `WITH told AS (INSERT INTO event (id, account_id, name, created_at, data) VALUES ($1, $2, 'webhook.test', $3, '{}') RETURNING n)
     INSERT INTO delivery (id, endpoint_id, event_n, created_at, next_attempt_at, redispatch_at)
     SELECT $4, $5, n, $3, $3, $3 FROM told`,
    [newId(), follower.ctx.account.id, hub.now(), delivery, id],
  );
  expect(await attemptDelivery(hub, { id: delivery, round: 1, lane: id })).toEqual({ next: "end", state: "canceled" });
  expect(receiver!.received).toHaveLength(before);
});

test("of many who make the same attempt at once, one does", async () => {
  const receiver = receivers[9]!;
  const follower = await newFollower(hub);
  const { id } = await follower.register(receiver.url);
  const published = hub.publish;
  hub.publish = () => undefined;
  await follower.cancel(await follower.queue()).finally(() => (hub.publish = published));
  const [delivery] = await deliveriesTo(follower.ctx, id);
  const steps = await Promise.all(
    Array.from({ length: 20 }, () => attemptDelivery(hub, { id: delivery!.id, round: 1, lane: id })),
  );
  expect(steps.filter(({ next }) => next === "end").length).toBeGreaterThanOrEqual(1);
  expect(receiver.received).toHaveLength(1);
  expect((await deliveriesTo(follower.ctx, id))[0]).toMatchObject({ state: "succeeded", attempts: [{ status: 204 }] });
});

test("a nudge that was lost is repeated by the sweep, within a minute", async () => {
  const receiver = receivers[10]!;
  const follower = await newFollower(hub);
  await follower.register(receiver.url);
  const published = hub.publish;
  hub.publish = () => undefined;
  await follower.cancel(await follower.queue()).finally(() => (hub.publish = published));
  expect(receiver.received).toHaveLength(0);
  hub.clock.advance(61_000);
  hub.publish({ name: "hub/sweep", data: {} });
  await expect.poll(() => receiver.received.length, { timeout: 5_000 }).toBe(1);
});

test("a slow endpoint is left one lane, until it answers fast again", async () => {
  const receiver = receivers[11]!;
  const follower = await newFollower(hub);
  const { id } = await follower.register(receiver.url);
  const published: HubEvent[] = [];
  const publish = hub.publish;
  // The sweep may find something of the tests before.
  hub.publish = (event) => void (event.name === "delivery/due" && published.push(event));
  const take = () => published.splice(0)[0]!.data as { id: string; round: number; lane: string };
  try {
    await follower.cancel(await follower.queue());
    const fast = take();
    expect(fast.lane).toMatch(new RegExp(`^${id}/[0-3]$`));
    await hub.db.query("UPDATE endpoint SET slow = true WHERE id = $1", [id]);
    expect(await attemptDelivery(hub, fast)).toEqual({ next: "end", state: "moved to the slow lane" });
    const moved = take();
    expect(moved).toEqual({ ...fast, lane: id });
    await follower.cancel(await follower.queue());
    expect(take().lane).toBe(id);
    expect(receiver.received).toHaveLength(0);
    expect(await attemptDelivery(hub, moved)).toEqual({ next: "end", state: "succeeded" });
    await follower.cancel(await follower.queue());
    expect(take().lane).toMatch(/\/[0-3]$/);
  } finally {
    hub.publish = publish;
  }
});
