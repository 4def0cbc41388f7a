import type { Queryable } from "../../server/db/client";
import { array, bool, int8Number, json, nullable, text, uuid } from "../../server/db/column-types";
import { type RowOf, statement } from "../../server/db/statement";
import { jobColumns } from "./outcome";

const claimedColumns = {
  ...jobColumns,
  function_id: text,
  event: json<object>(),
  /** Id and result of each finished step, in order of completion; null when there are none. */
  step_results: nullable(json<[string, unknown][]>()),
};

export type ClaimedJob = RowOf<typeof claimedColumns>;

/**
 * Claims up to `maxJobs` jobs of the given functions for this engine instance. Concurrency groups are served in turn,
 * and within a group the oldest run goes first. `more` is true when groups have further jobs that could run now.
 */
export async function claimJobs(
  db: Queryable,
  instanceId: string,
  functionIds: Iterable<string>,
  maxJobs: number,
): Promise<{ jobs: ClaimedJob[]; more: boolean }> {
  const jobs = await claimRunnableJobs(db, instanceId, maxJobs, [...functionIds]);
  return { jobs, more: jobs.length < maxJobs && jobs.some(({ more }) => more) };
}

/**
 * Returns whether a job of these functions could be claimed now. `claimJobs` skips a group that another instance has
 * locked at that moment, so an empty claim does not mean that there is nothing to run.
 */
export async function hasRunnableJobs(db: Queryable, functionIds: Iterable<string>): Promise<boolean> {
  const [row] = await selectHasRunnable(db, [...functionIds]);
  return row!.runnable;
}

// Only groups with a runnable job are read, and of each no more jobs than it may execute, so that a backlog costs
// nothing. The commit is asynchronous: a crash of Postgres may lose a claim, which is then made again, but no result.
const claimRunnableJobs = statement({
  params: [uuid, int8Number, array(text)],
  row: { ...claimedColumns, more: bool },
  text: `
  WITH async_commit AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)),
  concurrency_group AS MATERIALIZED (
    SELECT id, waiting, executing, least(waiting, max_concurrency - executing) AS capacity
    FROM engine.concurrency_group
    WHERE waiting > 0 AND executing < max_concurrency AND function_id = ANY ($3::text[])
    ORDER BY claim_order LIMIT $2::bigint FOR NO KEY UPDATE SKIP LOCKED
  ),
  share AS (
    SELECT greatest(1, $2::bigint / greatest(1, count(*)))::int AS jobs_per_group FROM concurrency_group
  ),
  selected AS (
    SELECT job.id FROM concurrency_group g CROSS JOIN share CROSS JOIN LATERAL (
      SELECT id FROM engine.job WHERE concurrency_group_id = g.id AND state = 'ready'
      ORDER BY run_id, id LIMIT least(share.jobs_per_group, g.capacity) FOR NO KEY UPDATE SKIP LOCKED
    ) job
  ),
  claimed AS (
    UPDATE engine.job j SET state = 'taken', instance_id = $1, due_at = NULL FROM selected WHERE j.id = selected.id
    RETURNING j.id, j.run_id, j.concurrency_group_id, j.step, j.attempt
  ),
  counted AS (
    UPDATE engine.concurrency_group target
    SET waiting = g.waiting - c.jobs, executing = g.executing + c.jobs, claim_order = nextval('engine.claim_order')
    FROM (SELECT concurrency_group_id, count(*) AS jobs FROM claimed GROUP BY concurrency_group_id) c
    JOIN concurrency_group g ON g.id = c.concurrency_group_id
    WHERE target.id = c.concurrency_group_id
  )
  SELECT (SELECT bool_or(capacity > jobs_per_group) FROM concurrency_group, share) AS more,
    c.id, c.run_id, c.step, c.attempt, r.function_id, r.event,
    (SELECT json_agg(json_build_array(m.step, m.value) ORDER BY m.position)
     FROM engine.step_result m WHERE m.run_id = c.run_id) AS step_results
  FROM claimed c JOIN engine.run r ON r.id = c.run_id CROSS JOIN async_commit
  ORDER BY c.run_id`,
});

const selectHasRunnable = statement({
  params: [array(text)],
  row: { runnable: bool },
  text: `
  SELECT EXISTS (
    SELECT FROM engine.concurrency_group
    WHERE waiting > 0 AND executing < max_concurrency AND function_id = ANY ($1::text[])) AS runnable`,
});
