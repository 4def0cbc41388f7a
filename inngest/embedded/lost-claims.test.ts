import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import type { InngestFunction } from "inngest";
import pino from "pino";
import { afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { listenOnLoopback } from "../../test/loopback";
import { newId } from "../../server/lib/id";
import { until } from "../contract/bench";
import { type EmbeddedBench, embeddedBench } from "../contract/embedded-bench";
import { claimJobs } from "./claim-jobs";
import { createEmbeddedEngine } from "./engine";
import { LEASE_MS, LEASE_RENEW_MS, renewLease } from "./lease";
import { startRuns } from "./start-runs";

let bench: EmbeddedBench;
beforeAll(async () => {
  bench = await embeddedBench();
});
afterEach(() => bench.halt());

interface Cut {
  /** Breaks the connection when Postgres sends this text, instead of passing it on. */
  answer?: string;
  /** Breaks the connection when the engine sends this text, which Postgres receives at `deliver`. */
  request?: string;
}

/** A relay to Postgres that breaks one connection. */
async function openRelay() {
  const target = new URL(bench.url);
  let cut: Cut = {};
  let far: Socket;
  let held: Buffer | null = null;
  const isCut = (chunk: Buffer, text?: string) => text !== undefined && chunk.includes(text) && ((cut = {}), true);
  const server = createServer((near) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [near, upstream]) socket.on("error", () => undefined);
    near.on("data", (chunk) => {
      if (!isCut(chunk, cut.request)) return void upstream.write(chunk);
      [held, far] = [chunk, upstream];
      near.destroy();
    });
    upstream.on("data", (chunk) => void (isCut(chunk, cut.answer) ? near.destroy() : near.write(chunk)));
    near.once("close", () => (held !== null && far === upstream ? undefined : upstream.destroy()));
    upstream.once("close", () => near.destroy());
  });
  const url = new URL(target);
  url.host = `127.0.0.1:${await listenOnLoopback(server)}`;
  onTestFinished(() => void server.close());
  return {
    url: url.href,
    cutAt: (next: Cut) => void (cut = next),
    isCut: () => Object.keys(cut).length === 0,
    /** Resolves when Postgres has executed the request. */
    async deliver() {
      far.end(held!);
      await once(far, "close");
    },
  };
}

async function startEngine(listenUrl: string, functions: InngestFunction.Any[]) {
  const log = pino({ level: "silent" });
  const now = () => bench.now();
  const engine = createEmbeddedEngine({ listenUrl, inngest: bench.inngest, functions, log, now, slots: 16 });
  onTestFinished(() => engine.stop(1_000));
  await engine.start();
}

/** Queues an event without a notification. Returns its position. */
async function queueEvent(id: string, data: Record<string, unknown>) {
  const body = { id: newId(), name: `${id}/asked`, data, ts: bench.now().getTime() };
  const [queued] = await bench.db.query<{ position: bigint }>(
    "INSERT INTO engine.event (name, body) VALUES ($1, $2) RETURNING position",
    [body.name, JSON.stringify(body)],
  );
  return { position: String(queued!.position), body };
}

/** Starts a run that no engine was notified of, so that its job is ready and not claimed. */
async function startRun(id: string) {
  const { position, body } = await queueEvent(id, { n: 1 });
  const functionId = `${bench.inngest.id}-${id}`;
  const start = { runId: newId(), functionId, concurrencyKey: "", maxConcurrency: 10, cancels: [] };
  await startRuns(bench.db, bench.now(), [{ position, body }], [{ ...start, position }]);
  return functionId;
}

/** Returns the jobs; `version` changes with each write to a row. */
const readJobs = () =>
  bench.db.query<{ id: bigint; state: string; version: string }>(
    "SELECT id, state, xmin::text AS version FROM engine.job ORDER BY id",
  );
const hasNoJobs = async () => (await readJobs()).length === 0;

/** Whether one engine is connected, and has ended a tick with a claim. */
const isIdle = async () => {
  const sql =
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle' AND query LIKE '%jobs_per_group%'";
  return (await bench.db.query(sql)).length === 1;
};

/** Lets the engine renew its lease, and resolves when the tick that does so has ended. */
async function renew() {
  const due = new Date(bench.now().getTime() + LEASE_RENEW_MS + LEASE_MS);
  await bench.advance(LEASE_RENEW_MS);
  const sql = "SELECT FROM engine.instance WHERE lease_expires_at >= $1";
  await until(async () => (await bench.db.query(sql, [due])).length === 1);
  await until(isIdle);
}

// Texts of the answers to a claim, and to the question whether there is more to claim.
test.each([
  ["a claim", "claimed", "step_results"],
  ["the statement after a claim", "followed", "runnable\0"],
])("when the answer to %s is lost, the jobs run without a restart, each once", async (_, id, answer) => {
  const ran: number[] = [];
  const relay = await openRelay();
  const options = { concurrency: [{ key: "event.data.account", limit: 1 }] as [{ key: string; limit: number }] };
  await startEngine(relay.url, [bench.oneStepFunction(id, ({ n }) => ran.push(n), options)]);
  await until(isIdle);
  await bench.db.query("INSERT INTO engine.instance (id, lease_expires_at) VALUES ($1, $2)", [
    newId(),
    new Date(bench.now().getTime() + 60_000),
  ]);
  for (const n of [1, 2]) await queueEvent(id, { n, account: 1 });
  relay.cutAt({ answer });
  await bench.advance(LEASE_RENEW_MS);
  await until(() => ran.length === 2);
  expect(relay.isCut()).toBe(true);
  expect(ran).toEqual([1, 2]);
});

test("jobs of a claim that Postgres executes after the engine gave it up run within ten seconds", async () => {
  const ran: number[] = [];
  const relay = await openRelay();
  relay.cutAt({ request: "jobs_per_group" });
  await startEngine(relay.url, [bench.oneStepFunction("late", ({ n }) => ran.push(n))]);
  await until(isIdle);
  await startRun("late");
  await relay.deliver();
  expect(await readJobs()).toMatchObject([{ state: "taken" }]);
  expect(ran).toEqual([]);
  await renew();
  await until(hasNoJobs);
  expect(ran).toEqual([1]);
});

test("a job that is executing is not freed, not even by a statement from before its claim", async () => {
  let ran = 0;
  let release = () => undefined as void;
  const released = new Promise<void>((resolve) => (release = resolve));
  const relay = await openRelay();
  await startEngine(relay.url, [bench.oneStepFunction("slow", () => ((ran += 1), released))]);
  await until(isIdle);
  relay.cutAt({ request: "<> ALL" });
  await bench.advance(LEASE_RENEW_MS);
  await until(relay.isCut);
  await bench.send("slow/asked", {});
  await until(() => ran === 1);
  const claimed = await readJobs();
  expect(claimed).toMatchObject([{ state: "taken" }]);
  await relay.deliver();
  expect(await readJobs()).toEqual(claimed);
  await renew();
  expect(await readJobs()).toEqual(claimed);
  release();
  await until(hasNoJobs);
  expect(ran).toBe(1);
});

test("a job whose outcome could not be committed is not freed, and does not run again", async () => {
  let ran = 0;
  const relay = await openRelay();
  await startEngine(relay.url, [bench.oneStepFunction("ended", () => (ran += 1))]);
  await until(isIdle);
  relay.cutAt({ request: "finished_job" });
  await bench.send("ended/asked", {});
  await until(relay.isCut);
  await until(hasNoJobs);
  await relay.deliver();
  await renew();
  expect(await hasNoJobs()).toBe(true);
  expect(ran).toBe(1);
});

test("a statement from before a renewal frees no job that is claimed after it", async () => {
  const functionId = await startRun("overtaken");
  await startRun("overtaken");
  const instanceId = newId();
  const claim = async () => (await claimJobs(bench.db, instanceId, [functionId], 10)).jobs.map(({ id }) => String(id));
  expect(await claim()).toHaveLength(2);
  const [first] = await readJobs();
  // Stops the first statement after it has freed one job of two.
  await bench.db.query(`
    CREATE FUNCTION wait_for_test() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_advisory_xact_lock(1); RETURN new; END $$`);
  await bench.db.query(`
    CREATE TRIGGER wait_for_test BEFORE UPDATE ON engine.job FOR EACH ROW
    WHEN (new.id = ${first!.id} AND new.state = 'ready') EXECUTE FUNCTION wait_for_test()`);
  const gate = await bench.db.pool.connect();
  await gate.query("SELECT pg_advisory_lock(1)");
  const countWaiting = async () =>
    (
      await bench.db.query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      )
    ).length;
  const early = renewLease(bench.db, instanceId, bench.now(), []);
  await until(async () => (await countWaiting()) === 1);
  let claimed: string[] | undefined;
  const late = renewLease(bench.db, instanceId, new Date(bench.now().getTime() + 1), []).then(async () => {
    claimed = await claim();
  });
  await until(async () => claimed !== undefined || (await countWaiting()) === 2);
  await gate.query("SELECT pg_advisory_unlock(1)");
  gate.release();
  await Promise.all([early, late]);
  await bench.db.query("DROP FUNCTION wait_for_test CASCADE");
  const taken = (await readJobs()).filter(({ state }) => state === "taken");
  expect(taken.map(({ id }) => String(id)).toSorted()).toEqual(claimed!.toSorted());
  expect(claimed).not.toEqual([]);
});
