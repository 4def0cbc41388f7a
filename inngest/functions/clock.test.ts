import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { queuedGeneration } from "../../test/generation-fixture";
import { runningHub } from "../../test/engine";
import { runAudit } from "../../server/domain/audit/audit";
import { createAccount } from "../../server/domain/people/create-account";
import { insertWithHold } from "../../server/domain/generations/intake/insert-with-hold";
import { leaseNextJob } from "../../server/domain/generations/run/lease";
import { creditAccount } from "../../server/domain/ledger/credit";

const DAY_MS = 86_400_000;
const hub = await runningHub();
const account = await createAccount(hub, { email: "clock@example.org" });
await creditAccount(hub, account, { amount: 1_000_000_000n });

const later = (ms: number) => new Date(hub.now().getTime() + ms);
async function queue(row: object = {}): Promise<string> {
  const generation = { ...queuedGeneration(account, 1n), created_at: hub.now(), ...row };
  await insertWithHold(hub, generation);
  return generation.id;
}
const run = (id: string) => hub.publish({ name: "generation/queued", data: { id, account } });
const statuses = async (ids: string[]) => {
  const rows = await hub.db.query<{ id: string; status: string }>(
    "SELECT id, status FROM generation WHERE id = ANY ($1::uuid[])",
    [ids],
  );
  return ids.map((id) => rows.find((row) => row.id === id)!.status);
};
const far = async () =>
  hub.db.query(
    `SELECT id FROM generation WHERE status IN ('queued', 'running') AND greatest(deadline_at, claim_expires_at, lease_expires_at, dispatched_at) > $1
     UNION ALL SELECT id FROM delivery WHERE state = 'pending' AND greatest(next_attempt_at, redispatch_at) > $1`,
    [later(DAY_MS)],
  );

test("a clock that goes back three days blocks nothing: every due time is corrected to at most its own delay", async () => {
  const slow = await queue({ input: { prompt: "[slow:2] late" } });
  run(slow);
  await expect.poll(() => statuses([slow])).toEqual(["running"]);
  // No engine knows these: only the sweep can find them.
  const undispatched = await queue();
  const lost = [
    await queue({ status: "running", is_llm: true, started_at: hub.now(), deadline_at: later(30_000) }),
    await queue({ provider: "worker", model: "sandbox-trainer" }),
  ];
  expect(await leaseNextJob(hub, { tokenId: null }, ["sandbox-trainer"])).not.toBeNull();
  const delivery = randomUUID();
  await hub.db.query(
    `WITH p AS (INSERT INTO endpoint (id, account_id, position, url, events, secret, created_at)
       VALUES (gen_random_uuid(), $1, 1, 'https://example.org', '{generation.completed}', '', $3) RETURNING id),
     e AS (INSERT INTO event (id, account_id, name, created_at, data) VALUES (gen_random_uuid(), $1, 'test', $3, '{}') RETURNING n)
     INSERT INTO delivery (id, endpoint_id, event_n, attempts, created_at, scheduled_at, next_attempt_at, redispatch_at)
     SELECT $2, p.id, e.n, 1, $3, $3, $3::timestamptz + interval '30 s', $3::timestamptz + interval '90 s' FROM p, e`,
    [account, delivery, hub.now()],
  );

  hub.clock.advance(-3 * DAY_MS);
  const ahead = () => hub.db.query("SELECT FROM engine.instance WHERE lease_expires_at > $1", [later(DAY_MS)]);
  await expect.poll(ahead, { timeout: 20_000 }).toEqual([]);
  // No test triggers the sweep: the engine must notice that its schedule is days ahead.
  hub.clock.advance(61_000);
  await expect.poll(far, { timeout: 20_000 }).toEqual([]);
  await expect.poll(() => statuses([slow]), { timeout: 20_000 }).toEqual(["succeeded"]);
  const [planned] = await hub.db.query<{ seconds: number }>(
    "SELECT extract(epoch FROM next_attempt_at - scheduled_at)::float8 AS seconds FROM delivery WHERE id = $1",
    [delivery],
  );
  expect(planned!.seconds).toBe(30);

  hub.clock.advance(61_000);
  hub.publish({ name: "hub/sweep", data: {} });
  await expect.poll(() => statuses([undispatched, lost[0]!]), { timeout: 20_000 }).toEqual(["succeeded", "failed"]);
  expect((await runAudit(hub.db)).violations).toEqual([]);
});
