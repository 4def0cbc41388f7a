import type { Engine } from "../../inngest/embedded/engine";
import type { RunningHub } from "../engine";

/** How long the jobs of a killed Inngest server stay locked. */
const HOLD_SECONDS = 30;
/** After how long a server repeats a call that has failed once, and one that has failed more often (minimum and maximum). */
const FIRST_RETRY_SECONDS = [15, 45] as const;
const NEXT_RETRY_SECONDS = [30, 60] as const;

/** The hub's engine with the delays of an Inngest server's queue after a failure. */
export interface LateEngine {
  isAway(): boolean;
  /** Restarts the server: the results of running steps are lost, and their jobs stay locked for a while. */
  killServer(): Promise<void>;
  /** Restarts the hub: running calls are lost, and are repeated late. */
  killHub(): Promise<void>;
  /** Stops the server: events that are sent meanwhile are lost. */
  stopServer(): Promise<void>;
  restartServer(): Promise<void>;
  /** Restarts a server that keeps its state in memory, such as the dev server. */
  loseState(): Promise<void>;
}

export async function openLateEngine(hub: RunningHub): Promise<LateEngine> {
  const { publish } = hub;
  let isAway = false;
  let engine: Engine = await hub.startEngine();

  const findRunningJobs = () =>
    hub.db.query<{ id: string; results: number }>(
      "SELECT id, (SELECT count(*)::int FROM engine.step_result s WHERE s.run_id = j.run_id) AS results FROM engine.job j WHERE state = 'taken'",
    );

  /** Stops the engine, during a submit if there is one, and delays its steps by `delaySql` seconds, an expression of the job `j`. */
  const interrupt = async (delaySql: string) => {
    hub.clock.advance(1_000);
    let runningJobs = await findRunningJobs();
    for (let tries = 0; tries < 100 && !runningJobs.some(({ results }) => results === 0); tries += 1) {
      runningJobs = await findRunningJobs();
    }
    await engine.stop(0);
    await hub.db.query(
      `WITH held AS (
         UPDATE engine.job j SET state = 'later', due_at = $2::timestamptz + (${delaySql}) * interval '1 second', attempt = attempt + 1
         WHERE id = ANY ($1::bigint[]) AND state = 'ready' AND kind = 'call' RETURNING concurrency_group_id)
       UPDATE engine.concurrency_group g SET waiting = waiting - h.jobs
       FROM (SELECT concurrency_group_id, count(*) AS jobs FROM held GROUP BY 1) h WHERE g.id = h.concurrency_group_id`,
      [runningJobs.map(({ id }) => id), hub.now()],
    );
  };
  const randomBetweenSql = ([min, max]: readonly [number, number]) => `${min} + random() * ${max - min}`;

  return {
    isAway: () => isAway,
    async killServer() {
      await interrupt(String(HOLD_SECONDS));
      engine = await hub.startEngine();
    },
    async killHub() {
      await interrupt(
        `CASE WHEN j.attempt = 0 THEN ${randomBetweenSql(FIRST_RETRY_SECONDS)} ELSE ${randomBetweenSql(NEXT_RETRY_SECONDS)} END`,
      );
      engine = await hub.startEngine();
    },
    async stopServer() {
      isAway = true;
      hub.publish = () => undefined;
      await interrupt(String(HOLD_SECONDS));
    },
    async restartServer() {
      isAway = false;
      hub.publish = publish;
      engine = await hub.startEngine();
      hub.publish({ name: "hub/sweep", data: {} });
    },
    async loseState() {
      await engine.stop(0);
      await hub.db.query(
        "TRUNCATE engine.run, engine.job, engine.step_result, engine.wait, engine.event, engine.concurrency_group CASCADE",
      );
      engine = await hub.startEngine();
    },
  };
}
