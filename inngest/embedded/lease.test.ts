import { expect, test } from "vitest";
import { testDatabase } from "../../test/database";
import { newId } from "../../server/lib/id";
import { claimJobs } from "./claim-jobs";
import { commitOutcomes } from "./commit-outcomes";
import { renewLease } from "./lease";
import { startRuns } from "./start-runs";

const { db } = await testDatabase();
const now = new Date();
const instanceId = newId();

async function startRun() {
  const [event] = await db.query<{ position: bigint }>(
    "INSERT INTO engine.event (name, body) VALUES ('ended/asked', '{}') RETURNING position",
  );
  const runId = newId();
  const position = String(event!.position);
  const start = { runId, functionId: "ended", concurrencyKey: "", maxConcurrency: 1, cancels: [], position };
  await startRuns(db, now, [{ position, body: { id: newId(), name: "ended/asked", data: {} } }], [start]);
  return runId;
}

const claim = async () => (await claimJobs(db, instanceId, ["ended"], 1)).jobs;

const countWaiting = async () =>
  (await db.query("SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"))
    .length;

test("a job that was inserted at the moment its run ended runs once at most, and is deleted with the next renewal", async () => {
  const runId = await startRun();
  const [call] = await claim();
  let ended: Promise<void> | undefined;
  await db.transaction(async (tx) => {
    const newJobs = [{ step: "planned", kind: "call" as const, attempt: 0, dueAt: null }];
    await commitOutcomes(tx, instanceId, now, [{ runId, jobId: String(call!.id), fromState: "taken", newJobs }]);
    const runEnd = { status: "canceled" as const, result: "null" };
    ended = commitOutcomes(db, instanceId, now, [{ runId, jobId: null, fromState: null, runEnd }]);
    await expect.poll(countWaiting).toBe(1);
  });
  await ended;
  expect(await db.query("SELECT status FROM engine.run")).toEqual([{ status: "canceled" }]);
  const [planned] = await claim();
  expect(planned).toMatchObject({ run_id: runId, step: "planned" });
  const stepResults = [{ step: "planned", value: "1", failed: false }];
  await commitOutcomes(db, instanceId, now, [{ runId, jobId: String(planned!.id), fromState: "taken", stepResults }]);
  await renewLease(db, instanceId, now, []);
  expect(await db.query("SELECT step FROM engine.job")).toEqual([]);
  expect(await db.query("SELECT step FROM engine.step_result")).toEqual([]);
  expect(await db.query("SELECT runs, waiting, executing FROM engine.concurrency_group")).toEqual([
    { runs: 0, waiting: 0, executing: 0 },
  ]);
});
