import { expect, test } from "vitest";
import { contextOf } from "../../server/context";
import { runAudit } from "../../server/domain/audit/audit";
import { eraseContent } from "../../server/domain/erasure";
import { setUsageMetadata } from "../../server/domain/usage";
import { rollUpUsage } from "../../server/domain/usage/roll-up";
import { newCustomer } from "../api/customer";
import { testHub } from "../hub";
import { isSoak, soakCount } from "../soak";

const ROWS = soakCount(600, 100_000);
const BATCH = 250;
const NAMES = ["run", "step", "trace"];

const hub = await testHub();

test(`${ROWS} generations with values of their own are summed up, and a batch of them is erased, in little time`, async () => {
  const { account, email } = await newCustomer(hub);
  const caller = { id: account, email, member: false, balance: 0n, reserved: 0n };
  await hub.db.query(
    `INSERT INTO generation (id, account_id, model, is_llm, status, input, estimated_cost, billed_cost, price, provider,
                             timeout_seconds, created_at, started_at, completed_at, settled_at, metadata)
     SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || right(md5(n::text), 19))::uuid, $1::int, 'm', false,
            'succeeded', '{}', 0, 0, '{}', 'sandbox', 60, at, at, at, at,
            jsonb_build_object('run', n::text, 'step', n::text, 'trace', n::text)
     FROM (SELECT n, date_trunc('milliseconds', $3::timestamptz - interval '30 days' * ($2::bigint - n) / $2) AS at
           FROM generate_series(1, $2::bigint) n) timed`,
    [account, ROWS, hub.now()],
    { isLong: true },
  );
  await hub.db.query("ANALYZE generation, uncharged_settlement", [], { isLong: true });
  await setUsageMetadata(contextOf(hub, caller, { kind: "user" }, "test"), NAMES);
  await hub.db.query("UPDATE usage_label SET since = since - interval '60 days'");

  const startedAt = performance.now();
  while ((await rollUpUsage(hub, 60_000)) > 0);
  const sumMs = performance.now() - startedAt;
  const ids = await hub.db.query<{ id: string }>("SELECT id FROM generation ORDER BY id LIMIT $1", [BATCH]);
  await eraseContent(hub, ids.map(({ id }) => id)); // prettier-ignore
  const eraseMs = performance.now() - startedAt - sumMs;

  const named = await hub.db.query<{ grain: string; values: number; generations: number }>(
    `SELECT grain, count(*)::int AS values, sum(generations)::int AS generations FROM usage_label_sum
     WHERE value <> '(erased)' GROUP BY grain ORDER BY grain`,
  );
  const left = NAMES.length * (ROWS - BATCH);
  expect(named).toEqual(["day", "month"].map((grain) => ({ grain, values: left, generations: left })));
  expect(
    (await runAudit(hub.db, { isFull: true })).violations.filter(({ check }) => check.startsWith("usage")),
  ).toEqual([]);
  if (!isSoak) return;
  process.stdout.write(`summed up in ${(sumMs / 1_000).toFixed(1)} s, ${BATCH} erased in ${eraseMs.toFixed(0)} ms\n`);
  // Ten times what a slow machine takes; a plan that reads all sums for each value takes a thousand times as long.
  expect(sumMs).toBeLessThan(ROWS * 2);
  expect(eraseMs).toBeLessThan(BATCH * 10);
});
