import type { Engine } from "../../inngest/embedded/engine";
import type { RunningHub } from "../engine";

/** A dead Inngest server's jobs are held for so long. */
const HELD_S = 30;
/** A call that was refused is repeated after so long, and when it is refused again, after so long. */
const FIRST_REPEAT_S = [15, 45] as const;
const NEXT_REPEAT_S = [30, 60] as const;

/** The hub's engine with the timing of an Inngest server's queue under faults. */
export interface LateEngine {
  isAway(): boolean;
  /** The server is killed and started again: what steps under way came to is lost, and their jobs are held. */
  killServer(): Promise<void>;
  /** The hub is killed and started again: the calls under way are lost, and their repetition is late. */
  killHub(): Promise<void>;
  /** The server is gone; events that are sent meanwhile go nowhere. */
  leave(): Promise<void>;
  comeBack(): Promise<void>;
  /** The server is killed and has kept nothing, as one for development. */
  forgetAll(): Promise<void>;
}

export async function openLateEngine(hub: RunningHub): Promise<LateEngine> {
  const { publish } = hub;
  let isAway = false;
  let engine: Engine = await hub.startEngine();

  const findUnderWay = () =>
    hub.db.query<{ id: string; results: number }>(
      "SELECT id, (SELECT count(*)::int FROM engine.step_result s WHERE s.run_id = j.run_id) AS results FROM engine.job j WHERE state = 'taken'",
    );

  /** Stops the engine, amid a submit when there is one, and lets its steps go on after `delaySql`, of the job `j`. */
  const cut = async (delaySql: string) => {
    hub.clock.advance(1_000);
    let underWay = await findUnderWay();
    for (let looks = 0; looks < 100 && !underWay.some(({ results }) => results === 1); looks += 1) {
      underWay = await findUnderWay();
    }
    await engine.stop(0);
    await hub.db.query(
      `WITH held AS (
         UPDATE engine.job j SET state = 'later', due_at = $2::timestamptz + (${delaySql}) * interval '1 second', attempt = attempt + 1
         WHERE id = ANY ($1::bigint[]) AND state = 'ready' AND kind = 'call' RETURNING concurrency_group_id)
       UPDATE engine.concurrency_group g SET waiting = waiting - h.jobs
       FROM (SELECT concurrency_group_id, count(*) AS jobs FROM held GROUP BY 1) h WHERE g.id = h.concurrency_group_id`,
      [underWay.map(({ id }) => id), hub.now()],
    );
  };
  const between = ([least, most]: readonly [number, number]) => `${least} + random() * ${most - least}`;

  return {
    isAway: () => isAway,
    async killServer() {
      await cut(String(HELD_S));
      engine = await hub.startEngine();
    },
    async killHub() {
      await cut(`CASE WHEN j.attempt = 0 THEN ${between(FIRST_REPEAT_S)} ELSE ${between(NEXT_REPEAT_S)} END`);
      engine = await hub.startEngine();
    },
    async leave() {
      isAway = true;
      hub.publish = () => undefined;
      await cut(String(HELD_S));
    },
    async comeBack() {
      isAway = false;
      hub.publish = publish;
      engine = await hub.startEngine();
      hub.publish({ name: "hub/sweep", data: {} });
    },
    async forgetAll() {
      await engine.stop(0);
      await hub.db.query(
        "TRUNCATE engine.run, engine.job, engine.step_result, engine.wait, engine.event, engine.concurrency_group CASCADE",
      );
      engine = await hub.startEngine();
    },
  };
}
