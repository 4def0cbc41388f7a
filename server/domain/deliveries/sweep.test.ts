import { expect, test } from "vitest";
import { deriveHub } from "../../../test/derive-hub";
import { explainPlan } from "../../../test/explain-plan";
import { testHub, type TestHub } from "../../../test/hub";
import { newWebhookAccount } from "../../../test/webhooks/webhook-account";
import { openReceiver } from "../../../test/webhooks/receiver";
import type { Hub } from "../hub";
import { attemptDelivery } from "./attempt";
import { listDeliveries } from "./delivery";
import { listEndpoints } from "../endpoints/endpoint";
import { revokeEndpoint } from "../endpoints/revoke";
import { rotateSecret } from "../endpoints/rotate-secret";
import { purgeEvents, redispatchDeliveries } from "./redispatch-deliveries";

const DAY_MS = 86_400_000;
const receiver = await openReceiver();

test("a due delivery is dispatched again once a minute until it is attempted", async () => {
  const hub = await testHub({ OUTBOUND_ALLOW_HOSTS: receiver.host });
  const webhookAccount = await newWebhookAccount(hub);
  await webhookAccount.createWebhook(receiver.url);
  await webhookAccount.cancel(await webhookAccount.queueGeneration());
  const [due] = hub.published.splice(0);
  expect(due).toMatchObject({ name: "delivery/due", data: { round: 1 } });
  expect(await redispatchDeliveries(hub)).toBe(0);
  for (let minute = 0; minute < 3; minute += 1) {
    hub.clock.advance(61_000);
    expect(await redispatchDeliveries(hub)).toBe(1);
    expect(await redispatchDeliveries(hub)).toBe(0);
    expect(hub.published.splice(0)).toEqual([due]);
  }
  await attemptDelivery(hub, due!.data as Parameters<typeof attemptDelivery>[1]);
  hub.clock.advance(DAY_MS);
  expect(await redispatchDeliveries(hub)).toBe(0);
});

test("a starting process dispatches all due deliveries at once, but none that waits for its next attempt", async () => {
  const hub = await testHub({ OUTBOUND_ALLOW_HOSTS: receiver.host });
  const webhookAccount = await newWebhookAccount(hub);
  await webhookAccount.createWebhook(receiver.url);
  await webhookAccount.cancel(await webhookAccount.queueGeneration());
  const [due] = hub.published.splice(0);
  expect(await redispatchDeliveries(hub, true)).toBe(1);
  expect(hub.published.splice(0)).toEqual([due]);
  receiver.respond = (response) => void response.writeHead(500).end();
  await attemptDelivery(hub, due!.data as Parameters<typeof attemptDelivery>[1]);
  expect(await redispatchDeliveries(hub, true)).toBe(0);
  receiver.respond = (response) => void response.writeHead(204).end();
});

test("a lost delivery is dispatched at the start and by each sweep, however many to other endpoints are due", async () => {
  const hub = await testHub({ OUTBOUND_ALLOW_HOSTS: receiver.host });
  for (let n = 0; n < 3; n += 1) {
    const slow = await newWebhookAccount(hub);
    for (let m = 0; m < 5; m += 1)
      await insertDue(hub, slow.ctx.account.id, (await slow.createWebhook(receiver.url)).id);
  }
  const webhookAccount = await newWebhookAccount(hub);
  hub.clock.advance(1_000);
  await webhookAccount.cancel(await webhookAccount.queueGeneration({ prompt: "a tree" }, { url: receiver.url }));
  const [lost] = hub.published.splice(0);
  expect(await redispatchDeliveries(hub, true)).toBe(200);
  expect(hub.published.splice(0)).toContainEqual(lost);
  hub.clock.advance(121_000);
  expect(await redispatchDeliveries(hub)).toBe(200);
  expect(hub.published.splice(0)).toContainEqual(lost);

  await hub.db.query("ANALYZE");
  const plan = await explainPlan(hub, (h: Hub) => redispatchDeliveries(h));
  expect(plan).not.toContain("Seq Scan on delivery");
  expect(plan).toContain("delivery_pending_redispatch");
});

/** Inserts many deliveries to an endpoint that are due, as if their events were sent to the engine. */
async function insertDue(hub: TestHub, account: number, endpoint: string): Promise<void> {
  await hub.db.query(
    `WITH new_event AS (
       INSERT INTO event (id, account_id, name, created_at, data)
       SELECT gen_random_uuid(), $1, 'test', $3, '{}' FROM generate_series(1, 500) RETURNING n
     )
     INSERT INTO delivery (id, endpoint_id, event_n, created_at, next_attempt_at, redispatch_at)
     SELECT gen_random_uuid(), $2, n, $3, $3, $3::timestamptz + interval '60 s' FROM new_event`,
    [account, endpoint, hub.now()],
  );
}

test("events and revoked endpoints are deleted after thirty days, but not pending deliveries and active endpoints", async () => {
  const hub = await testHub({ OUTBOUND_ALLOW_HOSTS: receiver.host });
  const webhookAccount = await newWebhookAccount(hub);
  const active = await webhookAccount.createWebhook(receiver.url);
  const revoked = await webhookAccount.createWebhook(receiver.url);
  await webhookAccount.cancel(await webhookAccount.queueGeneration());
  await revokeEndpoint(webhookAccount.ctx, revoked.id);
  const count = async () =>
    (
      await hub.db.query(
        "SELECT (SELECT count(*) FROM event)::int AS events, (SELECT count(*) FROM delivery)::int AS deliveries",
      )
    )[0];
  hub.clock.advance(31 * DAY_MS);
  expect(await purgeEvents(hub, 100)).toBe(0);
  expect(await count()).toEqual({ events: 1, deliveries: 2 });

  const [due] = hub.published.filter(({ data }) => "lane" in data && data.lane.startsWith(active.id));
  await attemptDelivery(hub, due!.data as Parameters<typeof attemptDelivery>[1]);
  await webhookAccount.cancel(await webhookAccount.queueGeneration());
  expect(await purgeEvents(hub, 100)).toBe(2);
  expect(await count()).toEqual({ events: 1, deliveries: 1 });
  expect((await listEndpoints(webhookAccount.ctx)).map(({ id }) => id)).toEqual([active.id]);
});

test("a delivery waits while its secret is encrypted with another HUB_SECRET, until the secret is rotated", async () => {
  const hub = await testHub({ OUTBOUND_ALLOW_HOSTS: receiver.host });
  const webhookAccount = await newWebhookAccount(hub);
  const { id } = await webhookAccount.createWebhook(receiver.url);
  await webhookAccount.cancel(await webhookAccount.queueGeneration());
  const due = hub.published[0]!.data as Parameters<typeof attemptDelivery>[1];
  const other = deriveHub(hub, { secret: "another secret of thirty-two characters" });
  const before = receiver.received.length;
  expect(await attemptDelivery(other, due)).toMatchObject({ next: "wait" });
  expect(receiver.received).toHaveLength(before);
  const [delivery] = (await listDeliveries(webhookAccount.ctx, id, { limit: 1 })).data;
  expect(delivery!.attempts[0]).toMatchObject({ status: null, error: expect.stringMatching(/[Rr]otate/) as string });

  await rotateSecret({ ...webhookAccount.ctx, hub: other }, id);
  hub.clock.advance(30_000);
  // The previous secret cannot be decrypted either, but the new one signs.
  expect(await attemptDelivery(other, due)).toEqual({ next: "end", state: "succeeded" });
  expect(receiver.received).toHaveLength(before + 1);
});
