import { expect, onTestFinished, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { finishGeneration } from "../../server/domain/generations/end/finish";
import { insertWithHold } from "../../server/domain/generations/intake/insert-with-hold";
import { markRunning } from "../../server/domain/generations/run/mark-running";
import { readUsage } from "../../server/domain/usage/read-usage";
import { rollUpUsage } from "../../server/domain/usage/roll-up";
import { newId } from "../../server/lib/id";
import { newCustomer } from "../api/customer";
import { queuedGeneration } from "../generation-fixture";
import { testHub } from "../hub";
import { createRandom } from "../random";
import { seed, soakCount } from "../soak";

const HOUR_MS = 3_600_000;
const OPERATIONS = soakCount(150, 2_000);
const hub = await testHub({ RUNNING_PER_ACCOUNT: "10000" });
const next = createRandom(seed);
const integer = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
const pick = <T>(items: readonly T[]): T => items[integer(0, items.length - 1)]!;
const customers = await Promise.all([1, 2, 3].map(() => newCustomer(hub, { credit: 1_000 })));

/** Settles a random generation at a random time of the last days, as by a process whose clock differs. */
async function settleOne(): Promise<void> {
  const { account, keyId } = pick(customers);
  const generation = {
    ...queuedGeneration(account, BigInt(integer(1, 50) * 1_000)),
    key_id: pick([null, keyId]),
    end_user: pick([null, "eva", "max"]),
    created_at: hub.now(),
  };
  expect(await insertWithHold(hub, generation)).toBe("accepted");
  const to = pick(["succeeded", "failed", "canceled"] as const);
  if (to !== "canceled") await markRunning(hub, { generationId: generation.id, runId: newId() });
  const error =
    to === "failed" ? { code: "provider_error" as const, message: "It failed.", retryable: true } : undefined;
  await finishGeneration(hub, { id: generation.id, from: ["queued", "running"], to, error });
}

/** Kills the connections that sum up usage, as a kill of their processes does. */
const kill = () =>
  hub.db.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%uncharged\\_settlement SET is\\_summed%' AND state <> 'idle'`,
  );

const readTotals = (accountId: number | null) =>
  readUsage(
    hub,
    // Beyond the latest settlement, because the clock is also set back.
    {
      accountId,
      from: new Date(0),
      to: new Date(Date.now() + 365 * 24 * HOUR_MS),
      groups: [{ name: "end_user", kind: "end_user", key: null }],
    },
    { limit: 10 },
  );

test(`usage equals the ledger at any time while ${OPERATIONS} settlements, sums and kills interleave`, async () => {
  let isOver = false;
  // A test that fails must end the loops too.
  onTestFinished(() => void (isOver = true));
  let killed = 0;
  const sumUp = async () => {
    while (!isOver) await rollUpUsage(hub, 60_000).catch(() => killed++);
  };
  const sums = [sumUp(), sumUp()];
  for (let done = 0; done < OPERATIONS; done += 10) {
    await Promise.all(Array.from({ length: 10 }, settleOne));
    hub.clock.advance(integer(-HOUR_MS, 3 * HOUR_MS));
    await kill();
    const { data, total } = await readTotals(null);
    const [ledger] = await hub.db.query<{ billed: bigint; generations: bigint }>(
      `SELECT (SELECT -sum(amount)::bigint FROM ledger_entry WHERE kind = 'charge') AS billed,
              (SELECT count(*) FROM generation WHERE settled_at IS NOT NULL) AS generations`,
    );
    expect(total).toMatchObject({ billed: ledger!.billed ?? 0n, generations: ledger!.generations });
    expect(data.reduce((sum, { billed }) => sum + billed, 0n)).toBe(total.billed);
  }
  while (killed === 0) await Promise.all([settleOne(), kill()]);
  isOver = true;
  await Promise.all(sums);
  await rollUpUsage(hub, 60_000);
  expect(await hub.db.query("SELECT FROM uncharged_settlement WHERE NOT is_summed")).toEqual([]);
  for (const { account } of customers) {
    const totals = await hub.db.query(
      `SELECT coalesce(end_user, '') AS end_user, count(*)::int AS generations, coalesce(sum(billed_cost), 0)::bigint AS billed
       FROM generation WHERE account_id = $1 AND settled_at IS NOT NULL GROUP BY 1 ORDER BY 1`,
      [account],
    );
    const { data } = await readTotals(account);
    const found = data.map(({ groups, generations, billed }) => ({
      end_user: groups.end_user ?? "",
      generations: Number(generations),
      billed,
    }));
    expect(found).toEqual(totals);
  }
  expect((await runAudit(hub.db)).violations).toEqual([]);
});
