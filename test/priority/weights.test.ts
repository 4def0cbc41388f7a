import { expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { finishGeneration } from "../../server/domain/generations/end/finish";
import { dispatchWaiting } from "../../server/domain/generations/queue/dispatch-waiting";
import { insertWithHold } from "../../server/domain/generations/intake/insert-with-hold";
import { beginRun } from "../../server/domain/generations/run/advance-run";
import { endRun } from "../../server/domain/generations/run/end-run";
import { leaseNextJob } from "../../server/domain/generations/run/lease";
import { setWeight } from "../../server/domain/accounts/account";
import { deriveHub } from "../derive-hub";
import { queuedGeneration } from "../generation-fixture";
import { testHub } from "../hub";
import { testOperator } from "../operator";
import { isSoak, soakCount } from "../soak";
import { createPayer, createUpstream, queueRouted, routedCatalogue } from "../routed-hub";

const base = await testHub({ EUR_PER_USD: "1", RUNNING_PER_ACCOUNT: "20" });
const WEIGHTS = [1, 2, 4];
/** How many jobs are counted, while all accounts have some that wait. Over fewer, single places out of turn weigh too much. */
const COUNTED = soakCount(140, 840);
/** How many jobs start before counting begins, because jobs that arrive together start in any order. */
const UNCOUNTED = 35;
/** How many jobs each account has: more than the share of the heaviest. */
const JOBS = Math.ceil((UNCOUNTED + COUNTED) * 0.65);

/** Expects that accounts with these weights got their shares, within 10 %. */
function expectShares(accounts: number[], served: number[]) {
  for (const [index, weight] of WEIGHTS.entries()) {
    const share = served.filter((account) => account === accounts[index]).length;
    const due = (served.length * weight) / 7;
    expect(Math.abs(share - due) / due, `weight ${weight}: ${share} of ${served.length}`).toBeLessThanOrEqual(0.1);
  }
}

async function createPayers() {
  const accounts = [];
  for (const weight of WEIGHTS) {
    const id = await createPayer(base);
    await setWeight(base, testOperator, { id, weight });
    accounts.push(id);
  }
  return accounts;
}

test.runIf(isSoak).each([1, 3])("accounts share %i places of a saturated provider by their weights", async (maxInFlight) => {
  await base.db.query("DELETE FROM route_wait");
  const published: string[] = [];
  const hub = deriveHub(base, {
    catalogue: routedCatalogue([{ provider: `shared${maxInFlight}`, limits: { maxInFlight } }]),
    providers: { replicate: createUpstream().provider },
    publish: (event) => void (event.name === "generation/queued" && published.push(event.data.id)),
  });
  const accounts = await createPayers();
  const ids = new Map<string, number>();
  for (let n = 0; n < JOBS; n += 1) for (const account of accounts) ids.set(await queueRouted(hub, account), account);

  const running: string[] = [];
  const served: number[] = [];
  const begin = async (id: string) => {
    if (!ids.has(id) || (await beginRun(hub, { generationId: id, runId: "run" })) !== "running") return;
    running.push(id);
    served.push(ids.get(id)!);
  };
  // They arrive together; those that find no place wait.
  published.length = 0;
  await Promise.all([...ids.keys()].map(begin));
  served.length = 0;
  while (served.length < UNCOUNTED + COUNTED) {
    const id = running.shift()!;
    const run = { generationId: id, runId: "run" };
    await endRun(hub, run, { to: "succeeded", outputs: 0, cost: 0n, attempt: { outcome: "succeeded" } });
    await dispatchWaiting(hub);
    for (const next of published.splice(0)) await begin(next);
  }
  expectShares(accounts, served.slice(UNCOUNTED));
  expect((await runAudit(hub.db)).violations).toEqual([]);
}, 120_000); // prettier-ignore

test("workers serve accounts by their weights, and one that comes later does not catch up", async () => {
  const accounts = await createPayers();
  const add = async (account: number, count: number) => {
    for (let n = 0; n < count; n += 1)
      await insertWithHold(base, { ...queuedGeneration(account, 1n), provider: "worker", model: "gpu-shared" });
  };
  const serve = async (count: number) => {
    const served: number[] = [];
    for (let n = 0; n < count; n += 1) {
      const job = (await leaseNextJob(base, { tokenId: null }, ["gpu-shared"]))!;
      served.push(job.account_id);
      await finishGeneration(base, { id: job.id, from: ["running"], to: "succeeded" });
    }
    return served;
  };
  // Two of them first; the third comes when they have had 60 jobs.
  await add(accounts[0]!, COUNTED);
  await add(accounts[1]!, COUNTED);
  await serve(60);
  await add(accounts[2]!, COUNTED);
  expectShares(accounts, await serve(COUNTED));
});
