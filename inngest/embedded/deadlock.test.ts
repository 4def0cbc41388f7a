import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../test/database";
import { newId } from "../../server/lib/id";
import { commitOutcomes } from "./commit-outcomes";
import { openEngineConnection } from "./engine-connection";
import type { Outcome } from "./outcome";
import { type RunStart, startRuns } from "./start-runs";

const { db, url } = await testDatabase();
const instanceId = newId();
const now = new Date();

/** Queues an event for each key and returns what starts a run of it. */
async function queueStarts(keys: string[]) {
  const queued = await db.query<{ position: bigint }>(
    "INSERT INTO engine.event (name, body) SELECT 'ordered/asked', '{}' FROM unnest($1::text[]) RETURNING position",
    [keys],
  );
  return queued.map(({ position }, n): RunStart => {
    const start = { functionId: "ordered", concurrencyKey: keys[n]!, maxConcurrency: 10, cancels: [] };
    return { ...start, position: String(position), runId: newId() };
  });
}

const start = (on: Parameters<typeof startRuns>[0], starts: RunStart[]) =>
  startRuns(
    on,
    now,
    starts.map(({ position }) => ({ position, body: { id: newId(), name: "ordered/asked", data: {} } })),
    starts,
  );

/** A connection that runs a statement once, also when Postgres rolls it back to end a deadlock. */
async function openClient() {
  const client = new pg.Client(url);
  client.on("error", () => undefined);
  await client.connect();
  onTestFinished(() => client.end());
  return {
    query: async <Row extends object>(text: string, values?: unknown[]) => (await client.query<Row>(text, values)).rows,
  };
}

const countWaiting = async () =>
  (await db.query("SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"))
    .length;

test("commits and starts lock concurrency groups in one order, whichever group was created first", async () => {
  for (const keys of [["/2"], ["/0"]]) await start(db, await queueStarts(keys));
  const ended = await db.query<{ id: string; job: bigint }>(
    "UPDATE engine.job SET state = 'taken', instance_id = $1 RETURNING run_id AS id, id AS job",
    [instanceId],
  );
  await db.query("UPDATE engine.concurrency_group SET waiting = 0, executing = 1");
  const outcomes = ended.map(({ id, job }): Outcome => ({
    runId: id,
    jobId: String(job),
    fromState: "taken",
    runEnd: { status: "completed", result: "null" },
  }));
  const [gate, committing, starting] = [await openClient(), await openClient(), await openClient()];
  const starts = await queueStarts(["/0", "/2"]);
  await gate.query("BEGIN");
  await gate.query("SELECT FROM engine.concurrency_group WHERE key = '/2' FOR UPDATE");
  const committed = commitOutcomes(committing, instanceId, now, outcomes);
  await expect.poll(countWaiting).toBe(1);
  const started = start(starting, starts);
  await expect.poll(countWaiting).toBe(2);
  await gate.query("COMMIT");
  const ends = await Promise.allSettled([committed, started]);
  expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
  expect(await db.query("SELECT key, runs, waiting, executing FROM engine.concurrency_group ORDER BY key")).toEqual([
    { key: "/0", runs: 1, waiting: 1, executing: 0 },
    { key: "/2", runs: 1, waiting: 1, executing: 0 },
  ]);
});

test("a statement or transaction of the engine that ends a deadlock runs again", async () => {
  // A sequence counts tries that are rolled back, too.
  await db.query("CREATE SEQUENCE try");
  await db.query(`
    CREATE FUNCTION fail_first() RETURNS bigint LANGUAGE plpgsql AS $$
    DECLARE number bigint := nextval('try');
    BEGIN
      IF number % 2 = 1 THEN RAISE 'deadlock' USING ERRCODE = 'deadlock_detected'; END IF;
      RETURN number;
    END $$`);
  const connection = openEngineConnection(url, () => undefined);
  onTestFinished(() => connection.close());
  const failFirst = "SELECT fail_first()::int AS tries";
  expect(await connection.query(failFirst)).toEqual([{ tries: 2 }]);
  let begun = 0;
  const inTransaction = connection.transaction((tx) => {
    begun += 1;
    return tx.query(failFirst);
  });
  expect(await inTransaction).toEqual([{ tries: 4 }]);
  expect(begun).toBe(2);
});
