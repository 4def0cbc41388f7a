import { expect, test } from "vitest";
import { testHub } from "../../../test/hub";
import { explainPlan } from "../../../test/explain-plan";
import { newWebhookAccount } from "../../../test/webhooks/webhook-account";
import type { Hub } from "../hub";
import { listFailingEndpoints } from "../endpoints/endpoint";

const hub = await testHub({ OUTBOUND_ALLOW_HOSTS: "localhost:9" });
const webhookAccount = await newWebhookAccount(hub);
const { ctx } = webhookAccount;

/** Inserts events for an endpoint with one failed delivery attempt each. */
async function insertHistory(endpoint: string, length: number): Promise<void> {
  await hub.db.query(
    `WITH new_event AS (
       INSERT INTO event (id, account_id, name, created_at, data)
       SELECT gen_random_uuid(), $2, 'test', now(), '{}' FROM generate_series(1, $3::int) RETURNING n
     ),
     new_delivery AS (
       INSERT INTO delivery (id, endpoint_id, event_n, state, attempts, created_at, ended_at)
       SELECT gen_random_uuid(), $1, n, 'failed', 1, now(), now() FROM new_event RETURNING id, event_n
     )
     INSERT INTO delivery_attempt (delivery_id, round, n, endpoint_id, started_at, duration_ms, status)
     SELECT id, 1, 1, $1, now() + event_n * interval '1 second', 1, 500 FROM new_delivery`,
    [endpoint, ctx.account.id, length],
  );
}

const plan = () => explainPlan(hub, (hub: Hub) => listFailingEndpoints({ ...ctx, hub }));

test("failing endpoints are found with one index lookup per endpoint, however many attempts there are", async () => {
  const newest = "Index Scan Backward using delivery_attempt_endpoint_id_started_at_idx";
  expect(await plan()).toContain(newest);
  const { id } = await webhookAccount.createWebhook("https://localhost:9/hook");
  await insertHistory(id, 10_000);
  await hub.db.query("ANALYZE");
  expect(await plan()).toContain(newest);
  expect(await plan()).not.toContain("Seq Scan on delivery_attempt");
  expect(await listFailingEndpoints(ctx)).toMatchObject([{ id, status: 500 }]);
});
