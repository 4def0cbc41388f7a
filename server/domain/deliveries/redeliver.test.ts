import { expect, test } from "vitest";
import { explainPlan } from "../../../test/explain-plan";
import { testHub } from "../../../test/hub";
import { newWebhookAccount } from "../../../test/webhooks/webhook-account";
import type { Hub } from "../hub";
import { listDeliveries } from "./delivery";
import { MAX_REDELIVERED, redeliverDeliveries, redeliverFailed } from "./redeliver";
import { revokeEndpoint } from "../endpoints/revoke";

const hub = await testHub({ OUTBOUND_ALLOW_HOSTS: "localhost:9" });
const [owner, stranger] = [await newWebhookAccount(hub), await newWebhookAccount(hub)];
const newEndpoint = async () => (await owner.createWebhook("https://localhost:9/hook")).id;

/** Inserts deliveries of an endpoint with these states, oldest first, and returns their ids. */
async function insertDeliveries(endpoint: string, states: string[]): Promise<string[]> {
  const rows = await hub.db.query<{ id: string }>(
    `WITH new_event AS (
       INSERT INTO event (id, account_id, name, created_at, data)
       SELECT gen_random_uuid(), $2, 'webhook.test', now(), '{}' FROM generate_series(1, cardinality($3::text[])) RETURNING n
     ), numbered AS (SELECT n, row_number() OVER (ORDER BY n) AS place FROM new_event),
     new_delivery AS (
       INSERT INTO delivery (id, endpoint_id, event_n, state, attempts, created_at, ended_at)
       SELECT gen_random_uuid(), $1, n, ($3::text[])[place], 8, now(), now() FROM numbered RETURNING id, event_n
     )
     SELECT id FROM new_delivery ORDER BY event_n`,
    [endpoint, owner.ctx.account.id, states],
  );
  return rows.map(({ id }) => id);
}

/** Returns the ids that were dispatched while `run` ran. */
async function dispatchedBy(run: () => Promise<unknown>): Promise<string[]> {
  const ids: string[] = [];
  const { publish } = hub;
  hub.publish = (event) => void (event.name === "delivery/due" && ids.push(event.data.id));
  await run().finally(() => (hub.publish = publish));
  return ids;
}

const statesOf = async (endpoint: string, failed = false) =>
  (await listDeliveries(owner.ctx, endpoint, { limit: 10, failed })).data.map(
    ({ state, round }) => `${state} ${round}`,
  );

test("the failed deliveries of an endpoint are sent again once, and no others", async () => {
  const endpoint = await newEndpoint();
  const ids = await insertDeliveries(endpoint, ["failed", "succeeded", "failed"]);
  const [other] = await insertDeliveries(await newEndpoint(), ["failed"]);
  expect(await statesOf(endpoint, true)).toEqual(["failed 1", "failed 1"]);
  const dispatched = await dispatchedBy(async () => {
    const counts = await Promise.all([redeliverFailed(owner.ctx, endpoint), redeliverFailed(owner.ctx, endpoint)]);
    expect(counts.sort()).toEqual([0, 2]);
  });
  expect(dispatched.sort()).toEqual([ids[0], ids[2]].sort());
  expect(await statesOf(endpoint)).toEqual(["pending 2", "succeeded 1", "pending 2"]);
  expect(await dispatchedBy(() => redeliverDeliveries(owner.ctx, [other!, "none"]))).toEqual([other]);
});

test("another account's deliveries, and those of a revoked endpoint, are not sent", async () => {
  const endpoint = await newEndpoint();
  const ids = await insertDeliveries(endpoint, ["failed", "failed"]);
  const missing = { code: "resource_not_found" };
  expect(await redeliverDeliveries(stranger.ctx, ids)).toBe(0);
  await expect(redeliverFailed(stranger.ctx, endpoint)).rejects.toMatchObject(missing);
  await revokeEndpoint(owner.ctx, endpoint);
  expect(await redeliverDeliveries(owner.ctx, ids)).toBe(0);
  await expect(redeliverFailed(owner.ctx, endpoint)).rejects.toMatchObject(missing);
  expect(await statesOf(endpoint)).toEqual(["failed 1", "failed 1"]);
});

test("one call sends a bounded number, the newest first, and finds every failed delivery by the index", async () => {
  const endpoint = await newEndpoint();
  const ids = await insertDeliveries(
    endpoint,
    Array.from({ length: MAX_REDELIVERED + 1 }, () => "failed"),
  );
  const dispatched = await dispatchedBy(() => redeliverFailed(owner.ctx, endpoint));
  expect(dispatched.sort()).toEqual(ids.slice(1).sort());

  await insertDeliveries(
    endpoint,
    Array.from({ length: 10_000 }, () => "succeeded"),
  );
  await hub.db.query("ANALYZE delivery");
  expect(await statesOf(endpoint, true)).toEqual(["failed 1"]);
  const inHub = (run: (ctx: typeof owner.ctx) => Promise<unknown>) =>
    explainPlan(hub, (explained: Hub) => run({ ...owner.ctx, hub: explained }), /delivery/);
  expect(await inHub((ctx) => listDeliveries(ctx, endpoint, { limit: 10, failed: true }))).toContain(
    "using delivery_failing on delivery",
  );
  expect(await inHub((ctx) => redeliverFailed(ctx, endpoint))).toContain("using delivery_failed on delivery");
  expect(await dispatchedBy(() => redeliverFailed(owner.ctx, endpoint))).toEqual([ids[0]]);
});

test("pages of failed deliveries continue where the last one ended", async () => {
  const endpoint = await newEndpoint();
  const ids = await insertDeliveries(endpoint, ["failed", "succeeded", "failed", "succeeded", "failed"]);
  const first = await listDeliveries(owner.ctx, endpoint, { limit: 2, failed: true });
  const cursor = first.next_cursor!;
  const last = await listDeliveries(owner.ctx, endpoint, { limit: 2, failed: true, cursor });
  expect([...first.data, ...last.data].map(({ id }) => id)).toEqual([ids[4], ids[2], ids[0]]);
  expect(last.next_cursor).toBeNull();
});
