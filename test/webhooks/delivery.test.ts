import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { getStoredGeneration } from "../../server/domain/generations/read/get";
import { serializeGeneration } from "../../server/domain/generations/read/serialize-generation";
import type { HubEvent } from "../../inngest/events";
import { attemptDelivery } from "../../server/domain/deliveries/attempt";
import { listDeliveries } from "../../server/domain/deliveries/delivery";
import { listEndpoints } from "../../server/domain/endpoints/endpoint";
import { redeliverDelivery } from "../../server/domain/deliveries/redeliver";
import { revokeEndpoint } from "../../server/domain/endpoints/revoke";
import { rotateSecret } from "../../server/domain/endpoints/rotate-secret";
import { sendTest } from "../../server/domain/deliveries/send-test";
import { newId } from "../../server/lib/id";
import { runningHub } from "../engine";
import { newWebhookAccount } from "./webhook-account";
import { openReceiver, type Receiver } from "./receiver";
import { verifyWithEach, verifyEverywhere } from "./verify";

const receivers = await Promise.all(Array.from({ length: 12 }, () => openReceiver()));
const hub = await runningHub({ OUTBOUND_ALLOW_HOSTS: receivers.map(({ host }) => host).join(",") });
const deliveriesTo = async (ctx: Parameters<typeof listDeliveries>[0], id: string) =>
  (await listDeliveries(ctx, id, { limit: 100 })).data;

/** Lets a receiver respond like this, but only once the returned function is called. */
function holdResponses(receiver: Receiver, respond: (response: ServerResponse) => void): () => void {
  let open = () => undefined as void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  receiver.respond = (response) => void opened.then(() => respond(response));
  return open;
}

test("delivers the start and the end of a generation, each signed and with the generation at that time", async () => {
  const [receiver] = receivers;
  const webhookAccount = await newWebhookAccount(hub);
  const { secret } = await webhookAccount.createWebhook(receiver!.url);
  const id = await webhookAccount.queueGeneration({
    prompt: 'gr\u00fc\u00df "dich" \u2028 \ud83c\udf32',
    deep: [1, { a: null }],
  });
  await webhookAccount.markRunning(id);
  const running = serializeGeneration(hub, await getStoredGeneration(webhookAccount.ctx, id));
  await webhookAccount.succeed(id);
  const completed = serializeGeneration(hub, await getStoredGeneration(webhookAccount.ctx, id));
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

test("a generation canceled in the queue has no start event, and each endpoint gets its subscribed events", async () => {
  const [, first, second] = receivers;
  const webhookAccount = await newWebhookAccount(hub);
  await webhookAccount.createWebhook(first!.url, ["generation.running"]);
  await webhookAccount.createWebhook(second!.url, ["generation.completed"]);
  const [canceled, executed] = [await webhookAccount.queueGeneration(), await webhookAccount.queueGeneration()];
  await webhookAccount.cancel(canceled);
  await webhookAccount.markRunning(executed);
  await webhookAccount.succeed(executed);
  await expect.poll(() => second!.received.length).toBe(2);
  await expect.poll(() => first!.received.length).toBe(1);
  const sentEvents = (receiver: typeof first) =>
    receiver!.received
      .map(({ body }) => (JSON.parse(body.toString()) as { data: { id: string; status: string } }).data)
      .map(({ id, status }) => ({ id, status }));
  expect(sentEvents(first)).toEqual([{ id: executed, status: "running" }]);
  expect(sentEvents(second)).toHaveLength(2);
  expect(sentEvents(second)).toEqual(
    expect.arrayContaining([
      { id: canceled, status: "canceled" },
      { id: executed, status: "succeeded" },
    ]),
  );
});

test("writes no event for an account without endpoints", async () => {
  const webhookAccount = await newWebhookAccount(hub);
  const id = await webhookAccount.queueGeneration();
  await webhookAccount.markRunning(id);
  await webhookAccount.succeed(id);
  expect(await hub.db.query("SELECT FROM event WHERE account_id = $1", [webhookAccount.ctx.account.id])).toEqual([]);
});

test("delivers nothing that was rolled back", async () => {
  const webhookAccount = await newWebhookAccount(hub);
  await webhookAccount.createWebhook(receivers[3]!.url);
  const id = await webhookAccount.queueGeneration();
  await webhookAccount.cancel(id);
  expect(await webhookAccount.succeed(id)).toBeNull();
  await webhookAccount.markRunning(id);
  await expect.poll(() => receivers[3]!.events()).toEqual(["generation.completed"]);
  expect(await hub.db.query("SELECT name FROM event WHERE generation_id = $1", [id])).toEqual([
    { name: "generation.completed" },
  ]);
});

test("signs with both secrets for 24 hours after a rotation, then with the new one", async () => {
  const receiver = receivers[4]!;
  const webhookAccount = await newWebhookAccount(hub);
  const { id, secret: old } = await webhookAccount.createWebhook(receiver.url);
  const { secret } = await rotateSecret(webhookAccount.ctx, id);
  expect(secret).not.toBe(old);
  await sendTest(webhookAccount.ctx, id);
  await expect.poll(() => receiver.received.length).toBe(1);
  const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]];
  await verifyEverywhere(secret, headers, body);
  await verifyEverywhere(old, { ...headers, "x-service-signature": headers["x-service-signature-previous"] }, body);

  hub.clock.advance(24 * 3_600_000 + 1_000);
  await sendTest(webhookAccount.ctx, id);
  await expect.poll(() => receiver.received.length).toBe(2);
  const later = receiver.received[1]!;
  // The other verifiers reject a timestamp that is a day ahead of their clock.
  expect(await verifyWithEach(secret, later.headers, later.body)).toMatchObject({ octokit: true });
  expect(await verifyWithEach(old, later.headers, later.body)).toMatchObject({ octokit: false });
  expect(later.headers).not.toHaveProperty("x-service-signature-previous");
  expect(later.headers["webhook-signature"]).not.toContain(" ");
});

test("attempts a test event once, and records its failure in last_error and the log", async () => {
  const receiver = receivers[5]!;
  const open = holdResponses(receiver, (response) => void response.writeHead(500).end("not \0 today"));
  const webhookAccount = await newWebhookAccount(hub);
  const { id } = await webhookAccount.createWebhook(receiver.url, ["generation.running"]);
  const sent = await sendTest(webhookAccount.ctx, id);
  expect(sent).toMatchObject({ event: "webhook.test", state: "pending", generation_id: null });
  open();
  await expect
    .poll(async () => (await listEndpoints(webhookAccount.ctx))[0]!.last_error)
    .toMatchObject({
      event: "webhook.test",
      delivery_id: sent.id,
      attempts: 1,
      status: 500,
      message: "The endpoint responded with HTTP 500.",
    });
  expect(receiver.events()).toEqual(["webhook.test"]);
  const [delivery] = await deliveriesTo(webhookAccount.ctx, id);
  expect(delivery).toMatchObject({ id: sent.id, state: "failed", next_attempt_at: null });
  expect(delivery!.attempts).toMatchObject([{ status: 500, response: "not \ufffd today", error: null }]);
});

test("a redelivery keeps its id and bytes, and has all attempts again", async () => {
  const receiver = receivers[6]!;
  receiver.respond = (response) => void response.writeHead(404).end();
  const webhookAccount = await newWebhookAccount(hub);
  const { id } = await webhookAccount.createWebhook(receiver.url, ["generation.completed"]);
  await webhookAccount.cancel(await webhookAccount.queueGeneration());
  await expect.poll(async () => (await deliveriesTo(webhookAccount.ctx, id))[0]?.state).toBe("failed");
  const open = holdResponses(receiver, (response) => void response.writeHead(200).end("fine"));
  const [delivery] = await deliveriesTo(webhookAccount.ctx, id);
  expect(await redeliverDelivery(webhookAccount.ctx, delivery!.id)).toMatchObject({
    id: delivery!.id,
    state: "pending",
    round: 2,
  });
  open();
  await expect.poll(async () => (await deliveriesTo(webhookAccount.ctx, id))[0]!.state).toBe("succeeded");
  const [first, second] = receiver.received;
  expect(second!.body).toEqual(first!.body);
  expect(second!.headers["x-service-delivery"]).toBe(first!.headers["x-service-delivery"]);
  expect((await deliveriesTo(webhookAccount.ctx, id))[0]!.attempts.map(({ status }) => status)).toEqual([404, 200]);
});

test("a revocation drops pending deliveries between their attempts", async () => {
  const receiver = receivers[7]!;
  const otherReceiver = receivers[8]!;
  receiver.respond = (response) => void response.writeHead(503).end();
  const webhookAccount = await newWebhookAccount(hub);
  const { id } = await webhookAccount.createWebhook(receiver.url);
  await webhookAccount.createWebhook(otherReceiver.url);
  await webhookAccount.cancel(await webhookAccount.queueGeneration());
  await expect.poll(async () => (await deliveriesTo(webhookAccount.ctx, id))[0]?.attempts.length).toBe(1);
  await revokeEndpoint(webhookAccount.ctx, id);
  const [pending] = await deliveriesTo(webhookAccount.ctx, id);
  expect(pending).toMatchObject({ state: "canceled", next_attempt_at: null });

  hub.clock.advance(60_000);
  await webhookAccount.cancel(await webhookAccount.queueGeneration());
  await expect.poll(() => otherReceiver.received.length).toBe(2);
  expect(receiver.received).toHaveLength(1);
  expect(await deliveriesTo(webhookAccount.ctx, id)).toHaveLength(1);
  await expect(redeliverDelivery(webhookAccount.ctx, pending!.id)).rejects.toMatchObject({
    code: "resource_not_found",
  });
});

test("drops a delivery that was written while its endpoint was revoked", async () => {
  const [receiver] = receivers;
  const webhookAccount = await newWebhookAccount(hub);
  const { id } = await webhookAccount.createWebhook(receiver!.url);
  await hub.db.query("UPDATE endpoint SET revoked_at = $2 WHERE id = $1", [id, hub.now()]);
  const before = receiver!.received.length;
  const delivery = newId();
  await hub.db.query(
    `WITH told AS (INSERT INTO event (id, account_id, name, created_at, data) VALUES ($1, $2, 'webhook.test', $3, '{}') RETURNING n)
     INSERT INTO delivery (id, endpoint_id, event_n, created_at, next_attempt_at, redispatch_at)
     SELECT $4, $5, n, $3, $3, $3 FROM told`,
    [newId(), webhookAccount.ctx.account.id, hub.now(), delivery, id],
  );
  expect(await attemptDelivery(hub, { id: delivery, round: 1, lane: id })).toEqual({
    next: "end",
    state: "canceled",
  });
  expect(receiver!.received).toHaveLength(before);
});

test("only one of many concurrent calls makes an attempt", async () => {
  const receiver = receivers[9]!;
  const webhookAccount = await newWebhookAccount(hub);
  const { id } = await webhookAccount.createWebhook(receiver.url);
  const published = hub.publish;
  hub.publish = () => undefined;
  await webhookAccount.cancel(await webhookAccount.queueGeneration()).finally(() => (hub.publish = published));
  const [delivery] = await deliveriesTo(webhookAccount.ctx, id);
  const steps = await Promise.all(
    Array.from({ length: 20 }, () => attemptDelivery(hub, { id: delivery!.id, round: 1, lane: id })),
  );
  expect(steps.filter(({ next }) => next === "end").length).toBeGreaterThanOrEqual(1);
  expect(receiver.received).toHaveLength(1);
  expect((await deliveriesTo(webhookAccount.ctx, id))[0]).toMatchObject({
    state: "succeeded",
    attempts: [{ status: 204 }],
  });
});

test("the sweep dispatches a delivery again within a minute if its event was lost", async () => {
  const receiver = receivers[10]!;
  const webhookAccount = await newWebhookAccount(hub);
  await webhookAccount.createWebhook(receiver.url);
  const published = hub.publish;
  hub.publish = () => undefined;
  await webhookAccount.cancel(await webhookAccount.queueGeneration()).finally(() => (hub.publish = published));
  expect(receiver.received).toHaveLength(0);
  hub.clock.advance(61_000);
  hub.publish({ name: "hub/sweep", data: {} });
  await expect.poll(() => receiver.received.length).toBe(1);
});

test("delivers to a slow endpoint one at a time until it responds quickly again", async () => {
  const receiver = receivers[11]!;
  const webhookAccount = await newWebhookAccount(hub);
  const { id } = await webhookAccount.createWebhook(receiver.url);
  const published: HubEvent[] = [];
  const publish = hub.publish;
  // The sweep may find deliveries of earlier tests, of other endpoints.
  hub.publish = (event) =>
    void (event.name === "delivery/due" && event.data.lane.startsWith(id) && published.push(event));
  const isFastLane = new RegExp(`^${id}/[0-3]$`);
  const takePublished = () => published.splice(0)[0]!.data as { id: string; round: number; lane: string };
  try {
    await webhookAccount.cancel(await webhookAccount.queueGeneration());
    const fast = takePublished();
    expect(fast.lane).toMatch(isFastLane);
    await hub.db.query("UPDATE endpoint SET slow = true WHERE id = $1", [id]);
    expect(await attemptDelivery(hub, fast)).toEqual({ next: "end", state: "moved to the slow lane" });
    const movedDelivery = takePublished();
    expect(movedDelivery).toEqual({ ...fast, lane: id });
    await webhookAccount.cancel(await webhookAccount.queueGeneration());
    expect(takePublished().lane).toBe(id);
    expect(receiver.received).toHaveLength(0);
    expect(await attemptDelivery(hub, movedDelivery)).toEqual({ next: "end", state: "succeeded" });
    await webhookAccount.cancel(await webhookAccount.queueGeneration());
    expect(takePublished().lane).toMatch(isFastLane);
  } finally {
    hub.publish = publish;
  }
});
