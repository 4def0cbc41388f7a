import type { Queryable } from "../../server/db/client";
import { int8Number, textOf, timestamptz } from "../../server/db/column-types";
import { type RowOf, statement } from "../../server/db/statement";
import { jobColumns, type Outcome } from "./outcome";

const MAX_JOBS = 500;

const laterColumns = { ...jobColumns, kind: textOf<"call" | "timer">(), due_at: timestamptz };

type LaterJob = RowOf<typeof laterColumns>;

/** Returns the outcomes of jobs that are due, at most 500 of them, and the time at which the next one is. */
export async function readDueJobs(
  db: Queryable,
  now: Date,
): Promise<{ due: Outcome[]; more: boolean; nextDueAt: Date | null }> {
  const jobs = await selectDueAndNext(db, now, MAX_JOBS);
  const due = jobs.filter(({ due_at }) => due_at <= now);
  return {
    due: due.map(wakeJob),
    more: due.length === MAX_JOBS,
    nextDueAt: jobs.find(({ due_at }) => due_at > now)?.due_at ?? null,
  };
}

// To the function, a sleep that has ended and a wait that timed out are both null. A retry becomes a job that is ready.
const wakeJob = ({ id, run_id, step, kind, attempt }: LaterJob): Outcome => ({
  runId: run_id,
  jobId: id,
  fromState: "later",
  ...(kind === "timer"
    ? { stepResults: [{ step, value: "null", failed: false }] }
    : { newJobs: [{ step, kind, attempt, dueAt: null }] }),
});

const selectDueAndNext = statement({
  params: [timestamptz, int8Number],
  row: laterColumns,
  text: `
  (SELECT id, run_id, step, kind, attempt, due_at FROM engine.job
   WHERE state = 'later' AND due_at <= $1 ORDER BY due_at LIMIT $2)
  UNION ALL
  (SELECT id, run_id, step, kind, attempt, due_at FROM engine.job
   WHERE state = 'later' AND due_at > $1 ORDER BY due_at LIMIT 1)`,
});
