import type { Queryable } from "../../server/db/client";

/** Whether a job could be taken now: another engine may have held its lane when this one looked. */
export async function hasRunnableJobs(on: Queryable, functions: Iterable<string>): Promise<boolean> {
  const [row] = await on.query<{ open: boolean }>(statement, [[...functions]]);
  return row!.open;
}

const statement = `
  SELECT EXISTS (
    SELECT FROM engine.lane WHERE waiting > 0 AND executing < most AND function_id = ANY ($1::text[])) AS open`;
