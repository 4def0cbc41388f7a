import type { Queryable } from "../../server/db/client";
import type { Job } from "./outcome";

export interface ClaimedJob extends Job {
  function_id: string;
  event: object;
  /** Id and value of each finished step, in order of completion; null for none. */
  memos: [string, unknown][] | null;
}

/**
 * Takes up to `most` jobs of functions that this process has: one lane after the other in turn, and in a lane the
 * oldest run first. Answers as well whether lanes have more to give at once.
 */
export async function claimJobs(
  on: Queryable,
  worker: string,
  functions: Iterable<string>,
  most: number,
): Promise<{ jobs: ClaimedJob[]; more: boolean }> {
  const jobs = await on.query<ClaimedJob & { more: boolean }>(statement, [worker, most, [...functions]]);
  return { jobs, more: jobs.length < most && jobs.some(({ more }) => more) };
}

// Only open lanes are read, and of each no more jobs than it may execute: a backlog behind them costs nothing.
// A crash of the database may forget a taking, never a result: its commit waits for no disk.
const statement = `
  WITH hasty AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)),
  lane AS MATERIALIZED (
    SELECT id, turn, waiting, executing, least(waiting, most - executing) AS room FROM engine.lane
    WHERE waiting > 0 AND executing < most AND function_id = ANY ($3::text[]) ORDER BY turn LIMIT $2::bigint FOR NO KEY UPDATE SKIP LOCKED
  ),
  share AS (SELECT greatest(1, $2::bigint / greatest(1, count(*)))::int AS each FROM lane),
  picked AS (
    SELECT job.id FROM lane CROSS JOIN share CROSS JOIN LATERAL (
      SELECT id FROM engine.job WHERE lane_id = lane.id AND state = 'ready'
      ORDER BY run_id, id LIMIT least(share.each, lane.room) FOR NO KEY UPDATE SKIP LOCKED
    ) job
  ),
  taken AS (
    UPDATE engine.job j SET state = 'taken', taken_by = $1, due_at = NULL FROM picked WHERE j.id = picked.id
    RETURNING j.id, j.run_id, j.lane_id, j.step, j.attempt
  ),
  served AS (
    UPDATE engine.lane l
    SET waiting = lane.waiting - t.jobs, executing = lane.executing + t.jobs, turn = nextval('engine.turn')
    FROM (SELECT lane_id, count(*) AS jobs FROM taken GROUP BY lane_id) t JOIN lane ON lane.id = t.lane_id
    WHERE l.id = t.lane_id
  )
  SELECT (SELECT bool_or(room > each) FROM lane, share) AS more, t.id, t.run_id, t.step, t.attempt, r.function_id, r.event,
    (SELECT json_agg(json_build_array(m.step, m.value) ORDER BY m.position)
     FROM engine.memo m WHERE m.run_id = t.run_id) AS memos
  FROM taken t JOIN engine.run r ON r.id = t.run_id CROSS JOIN hasty
  ORDER BY t.run_id`;
