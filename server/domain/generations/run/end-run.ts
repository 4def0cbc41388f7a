import { int8, jsonb, nullable, text, textOf, uuid } from "../../../db/column-types";
import { type RowOf, statement } from "../../../db/statement";
import { formatDecimal } from "../../../lib/money";
import type { Failure } from "../../../providers/failure";
import type { Run } from "../attempts";
import { type Ending, finishGeneration } from "../end";
import type { Status } from "../row";
import { dispatchNextQueued } from "../queue";
import type { RunHub } from "./hub";
import type { RunStart } from "./mark-running";

/**
 * The result of a run, as a job engine shows it. It contains nothing of the customer's input, which messages of errors may
 * quote.
 */
export interface RunResult {
  id: string;
  /** `superseded`: another run has taken over. `waiting`, `no_slot` and `not_queued`: it could not begin. */
  status: Status | "superseded" | "waiting" | Exclude<RunStart, "running">;
  error: Pick<Failure, "code"> | null;
  /** The charge in EUR. */
  cost: string | null;
}

/**
 * Ends the run's generation and dispatches the account's next one. Returns the generation's result, even if an earlier
 * call or the sweep has ended it.
 */
export async function endRun(hub: RunHub, run: Run, ending: Omit<Ending, "id" | "runId" | "from">): Promise<RunResult> {
  const { generationId: id, runId } = run;
  const ended = await finishGeneration(hub, { ...ending, id, runId, from: ["running"] });
  if (ended) {
    await dispatchNextQueued(hub, ended.account_id);
    return toRunResult(id, ended);
  }
  const result = await findResult(hub, run);
  // An ending by an earlier run was in the same batch and took precedence, but it changed nothing. So this one is
  // retried.
  return result.status === "running" ? endRun(hub, run, ending) : result;
}

/** Returns the current result of a run; `superseded` when another run has taken over. */
export async function findResult(hub: RunHub, { generationId: id, runId }: Run): Promise<RunResult> {
  const [row] = await selectResult(hub.db, id, runId);
  return row ? toRunResult(id, row) : { id, status: "superseded", error: null, cost: null };
}

const resultColumns = {
  status: textOf<Status>(),
  billed_cost: nullable(int8),
  error: nullable(jsonb<Failure>()),
};

const selectResult = statement({
  params: [uuid, text],
  row: resultColumns,
  text: "SELECT status, billed_cost, error FROM generation WHERE id = $1 AND run_id = $2",
});

const toRunResult = (id: string, { status, billed_cost, error }: RowOf<typeof resultColumns>): RunResult => ({
  id,
  status,
  error: error && { code: error.code },
  cost: billed_cost === null ? null : formatDecimal(billed_cost),
});
