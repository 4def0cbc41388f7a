import type { Queryable } from "../../server/db/client";
import { commitOutcomes } from "./commit-outcomes";
import type { Outcome } from "./outcome";

/**
 * Records outcomes together; when the database refuses what one of them says, each by itself, and the refused one
 * as a failure of its run. Throws when the database is not there: nothing or a part is recorded then, and recording
 * the same again does no harm.
 */
export async function recordOutcomes(on: Queryable, worker: string, now: Date, outcomes: Outcome[]): Promise<void> {
  await commitOutcomes(on, worker, now, outcomes).catch(async (error: unknown) => {
    if (!isRefusal(error)) throw error;
    if (outcomes.length > 1) for (const outcome of outcomes) await recordOutcomes(on, worker, now, [outcome]);
    else
      await commitOutcomes(
        on,
        worker,
        now,
        outcomes.map((outcome) => refused(outcome, error)),
      );
  });
}

// Data exceptions and exceeded limits: JSON nested too deep, for one.
const isRefusal = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && "code" in error && /^(22|54)/.test(String(error.code));

const refused = ({ run, job, from }: Outcome, { name, message }: Error): Outcome => ({
  run,
  job,
  from,
  end: { status: "failed", result: JSON.stringify({ name, message: `the result cannot be kept: ${message}` }) },
});
