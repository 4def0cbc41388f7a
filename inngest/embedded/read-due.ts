import type { Queryable } from "../../server/db/client";
import type { Job, Outcome } from "./outcome";

const MOST = 500;

interface Waiting extends Job {
  kind: "call" | "timer";
  due_at: Date;
}

/** What waits for a time that has come, and when the next is due. */
export async function readDue(on: Queryable, now: Date): Promise<{ due: Outcome[]; more: boolean; next: Date | null }> {
  const rows = await on.query<Waiting>(statement, [now, MOST]);
  const due = rows.filter(({ due_at }) => due_at <= now);
  return {
    due: due.map(awake),
    more: due.length === MOST,
    next: rows.find(({ due_at }) => due_at > now)?.due_at ?? null,
  };
}

// A sleep that is over, and an event that did not come, are both null to the function; a retry stands in its lane again.
const awake = ({ id, run_id, step, kind, attempt }: Waiting): Outcome => ({
  run: run_id,
  job: id,
  from: "later",
  ...(kind === "timer"
    ? { memo: { step, value: "null", failed: false } }
    : { jobs: [{ step, kind, attempt, due: null }] }),
});

const statement = `
  (SELECT id, run_id, step, kind, attempt, due_at FROM engine.job
   WHERE state = 'later' AND due_at <= $1 ORDER BY due_at LIMIT $2)
  UNION ALL
  (SELECT id, run_id, step, kind, attempt, due_at FROM engine.job
   WHERE state = 'later' AND due_at > $1 ORDER BY due_at LIMIT 1)`;
