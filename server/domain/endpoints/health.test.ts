import { expect, test } from "vitest";
import { testHub } from "../../../test/hub";
import { newWebhookAccount } from "../../../test/webhooks/webhook-account";
import { listEndpointHealth, MAX_COUNTED_ATTEMPTS } from "./health";
import { revokeEndpoint } from "./revoke";

const HOUR_MS = 3_600_000;

const hub = await testHub({ OUTBOUND_ALLOW_HOSTS: "localhost:9" });
hub.clock.freeze();
const owner = await newWebhookAccount(hub);
const stranger = await newWebhookAccount(hub);
const { id } = await owner.createWebhook("https://localhost:9/hook");

/** Records attempts with these statuses at the endpoint, each some milliseconds ago. */
async function insertAttempts(attempts: { status: number | null; agoMs: number }[]): Promise<void> {
  await hub.db.query(
    `WITH attempted AS (SELECT * FROM json_to_recordset($3) AS row (status int, started_at timestamptz, n int)),
     new_event AS (
       INSERT INTO event (id, account_id, name, created_at, data) VALUES (gen_random_uuid(), $2, 'test', now(), '{}')
       RETURNING n
     ),
     new_delivery AS (
       INSERT INTO delivery (id, endpoint_id, event_n, state, attempts, created_at, ended_at)
       SELECT gen_random_uuid(), $1, n, 'failed', 1, now(), now() FROM new_event RETURNING id
     )
     INSERT INTO delivery_attempt (delivery_id, round, n, endpoint_id, started_at, duration_ms, status, error)
     SELECT d.id, 1, a.n, $1, a.started_at, 1, a.status, CASE WHEN a.status IS NULL THEN 'none' END
     FROM new_delivery d, attempted a`,
    [
      id,
      owner.ctx.account.id,
      JSON.stringify(
        attempts.map(({ status, agoMs }, n) => ({ status, n, started_at: new Date(hub.now().getTime() - agoMs) })),
      ),
    ],
  );
}

test("health is the latest attempt and the newest attempts of each of the last 24 hours", async () => {
  const [unused] = await listEndpointHealth(owner.ctx);
  expect(unused).toMatchObject({ id, failing: null });
  expect(unused!.hours).toHaveLength(24);
  expect(unused!.hours.every(({ attempts }) => attempts === 0)).toBe(true);

  await insertAttempts([
    { status: 500, agoMs: 25 * HOUR_MS },
    { status: 204, agoMs: 23.5 * HOUR_MS },
    ...Array.from({ length: MAX_COUNTED_ATTEMPTS + 5 }, () => ({ status: 503, agoMs: 2.5 * HOUR_MS })),
    { status: 204, agoMs: 0.5 * HOUR_MS },
    { status: null, agoMs: 1_000 },
  ]);
  const [health] = await listEndpointHealth(owner.ctx, id);
  expect(health!.failing).toEqual({ status: null, at: new Date(hub.now().getTime() - 1_000).toISOString() });
  const counted = health!.hours.flatMap(({ attempts, failed }, hour) =>
    attempts > 0 ? [[hour, attempts, failed]] : [],
  );
  expect(counted).toEqual([
    [0, 1, 0],
    [21, MAX_COUNTED_ATTEMPTS, MAX_COUNTED_ATTEMPTS],
    [23, 2, 1],
  ]);
});

test("the health of a revoked endpoint and of another account's is not returned", async () => {
  expect(await listEndpointHealth(stranger.ctx, id)).toEqual([]);
  expect(await listEndpointHealth(stranger.ctx, "nonsense")).toEqual([]);
  await revokeEndpoint(owner.ctx, id);
  expect(await listEndpointHealth(owner.ctx, id)).toEqual([]);
});
