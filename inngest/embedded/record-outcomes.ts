import type { Queryable } from "../../server/db/client";
import { commitOutcomes } from "./commit-outcomes";
import type { Outcome } from "./outcome";

/**
 * Commits outcomes together. When Postgres rejects the data of one of them, commits each by itself, and the rejected
 * one as a failure of its run. Throws when the database is away: some outcomes may then be committed, and committing
 * them again has no effect.
 */
export async function recordOutcomes(db: Queryable, instanceId: string, now: Date, outcomes: Outcome[]): Promise<void> {
  await commitOutcomes(db, instanceId, now, outcomes).catch(async (error: unknown) => {
    if (!isDataError(error)) throw error;
    if (outcomes.length > 1) for (const outcome of outcomes) await recordOutcomes(db, instanceId, now, [outcome]);
    else {
      const failures = outcomes.map((outcome) => toFailure(outcome, error));
      await commitOutcomes(db, instanceId, now, failures);
    }
  });
}

// SQLSTATE classes 22 and 54: data exceptions and exceeded limits, such as JSON that is nested too deep.
const isDataError = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && "code" in error && /^(22|54)/.test(String(error.code));

const toFailure = ({ runId, jobId, fromState }: Outcome, { name, message }: Error): Outcome => ({
  runId,
  jobId,
  fromState,
  runEnd: { status: "failed", result: JSON.stringify({ name, message: `the result cannot be stored: ${message}` }) },
});
