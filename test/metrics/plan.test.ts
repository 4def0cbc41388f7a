import { expect, test } from "vitest";
import { createAccount } from "../../server/domain/people/create-account";
import { readGauges } from "../../server/domain/operations/read-gauges";
import { createEndpoint } from "../../server/domain/endpoints/create";
import { readEnv } from "../../server/env";
import { deriveHub } from "../derive-hub";
import { explainPlan } from "../explain-plan";
import { insertFile } from "../insert-file";
import { testHub } from "../hub";

const hub = await testHub({ OUTBOUND_ALLOW_HOSTS: "localhost:9" });
const HISTORY = 5_000;

/** Inserts rows of the past into every table that grows with time, and one row of each kind that is under way. */
async function insertHistory(): Promise<number> {
  const account = await createAccount(hub, { email: "history@example.org" });
  const run = (sql: string) => hub.db.query(sql.replaceAll("$account", String(account)));
  const ctx = { hub, account: { id: account, email: "", member: false, balance: 0n, reserved: 0n }, requestId: "test" };
  const { endpoint } = await createEndpoint(
    { ...ctx, actor: { kind: "user" } },
    { url: "https://localhost:9/hook", events: ["generation.completed"] },
  );
  await run(
    `INSERT INTO account (email, created_at) SELECT 'many-' || n || '@example.org', now() FROM generate_series(1, ${HISTORY}) n`,
  );
  await run(
    `INSERT INTO generation (id, account_id, model, is_llm, status, input, estimated_cost, billed_cost, price, provider,
                             progress, timeout_seconds, created_at, started_at, completed_at, settled_at)
     SELECT gen_random_uuid(), $account, 'sandbox-image', false, 'succeeded', '{}', 1, 1, '{}', 'sandbox', 1, 60, t, t, t, t
     FROM generate_series(1, ${HISTORY}) n, LATERAL (SELECT now() - n * interval '1 minute' AS t) at`,
  );
  await run(
    `INSERT INTO attempt (generation_id, n, route, provider, started_at, ended_at, outcome)
     SELECT id, 1, 'sandbox', 'sandbox', started_at, completed_at, 'succeeded' FROM generation`,
  );
  await run(
    `WITH paid AS (UPDATE account SET balance = ${HISTORY} WHERE id = $account)
     INSERT INTO ledger_entry (account_id, kind, amount, balance_after, created_at)
     SELECT $account, 'credit', 1, n, now() - (${HISTORY} - n) * interval '1 minute' FROM generate_series(1, ${HISTORY}) n`,
  );
  await run(
    `WITH new_event AS (
       INSERT INTO event (id, account_id, name, created_at, data)
       SELECT gen_random_uuid(), $account, 'test', now(), '{}' FROM generate_series(1, ${HISTORY}) RETURNING n)
     INSERT INTO delivery (id, endpoint_id, event_n, state, attempts, created_at, ended_at)
     SELECT gen_random_uuid(), '${endpoint.id}', n, 'failed', 1, now(), now() FROM new_event`,
  );
  await run(
    `INSERT INTO engine.run (id, function_id, concurrency_group_id, event, status, started_at, ended_at)
     SELECT gen_random_uuid(), 'run-generation', 1, '{}', 'completed', now(), now() FROM generate_series(1, ${HISTORY})`,
  );
  await run(
    `INSERT INTO payment_event (provider, event_id, kind, received_at, applied_at)
     SELECT 'stripe', 'evt_' || n, 'x', now(), now() FROM generate_series(1, ${HISTORY}) n`,
  );
  await run(
    `INSERT INTO audit_verdict (id, finished_at, duration_ms, entries, violations, examples)
     SELECT gen_random_uuid(), now() - n * interval '1 day', 1, 1, 0, '[]' FROM generate_series(1, 5000) n`,
  );
  return account;
}

test("a scrape reads no history: whatever is in the past is found by an index or was summed before", async () => {
  await insertHistory();
  await hub.db.query("ANALYZE");
  const plan = await explainPlan(hub, (on) => readGauges(on).catch(() => undefined), /WITH unsettled/);
  const scanned = [...plan.matchAll(/Seq Scan on (\w+)/g)].map(([, table]) => table!);
  // The queue of the engine, hours, migrations, and settings of customers are small by themselves.
  const small = [
    "_prisma_migrations",
    "job",
    "concurrency_group",
    "money_hour",
    "automatic_top_up",
    "unsettled",
    "queue",
    "lease",
    "later",
    "engine",
    "due",
    "verdict",
  ];
  expect(
    scanned.filter((table) => !small.includes(table)),
    plan,
  ).toEqual([]);
  expect(plan).toContain("Sample Scan on file");
  for (const index of [
    "generation_deadline",
    "generation_awaiting_supply",
    "delivery_pending",
    "payment_event_due",
    "account_owing",
  ])
    expect(plan).toContain(index);
});

test("the size of files is exact while they are few", async () => {
  const { file_bytes: before } = await readGauges(hub);
  const account = await createAccount(hub, { email: "files@example.org" });
  for (let n = 0; n < 3; n += 1) await insertFile(hub, account, `content ${n}`);
  expect((await readGauges(hub)).file_bytes - before).toBe(3 * "content 0".length);
});

test("what the embedded engine has not finished is shown until an Inngest server takes over", async () => {
  await hub.db.query(`
    WITH concurrency_group AS (
      INSERT INTO engine.concurrency_group (function_id, key, max_concurrency, runs)
      VALUES ('generation-hub-deliver-webhook', 'late', 1, 1) RETURNING id
    ),
    run AS (
      INSERT INTO engine.run (id, function_id, concurrency_group_id, event, started_at)
      SELECT gen_random_uuid(), 'generation-hub-deliver-webhook', id, '{}', now() FROM concurrency_group
      RETURNING id, concurrency_group_id
    )
    INSERT INTO engine.job (run_id, concurrency_group_id, step, kind, attempt, state, due_at)
    SELECT id, concurrency_group_id, 'wait', 'timer', 0, 'later', now() - interval '1 hour' FROM run`);
  expect((await readGauges(hub)).engine).toContainEqual(
    expect.objectContaining({ function: "deliver-webhook", later: 1 }),
  );
  const { inngest } = readEnv({
    INNGEST_BASE_URL: "https://inngest.example",
    INNGEST_EVENT_KEY: "event-key",
    INNGEST_SIGNING_KEY: "signkey-test-0123",
  });
  expect((await readGauges(deriveHub(hub, { env: { ...hub.env, inngest } }))).engine).toEqual([]);
});
