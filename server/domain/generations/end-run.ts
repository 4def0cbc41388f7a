import type { Hub } from "../../context";
import { type Nano, formatDecimal } from "../../lib/money";
import type { Failure } from "../../providers/provider";
import type { Run } from "./claim";
import { type Ending, finishGeneration } from "./finish";
import type { Status } from "./transitions";
import { dispatchNextQueued } from "./dispatch-queued";

/** What a run came to, as a job engine shows it. It holds nothing of the customer's input. */
export interface RunResult {
  id: string;
  /** `superseded`: another run has taken over. */
  status: Status | "superseded";
  /** Why it failed. */
  error: Pick<Failure, "code" | "message"> | null;
  /** What was charged, in EUR. */
  cost: string | null;
}

/**
 * Ends the run's generation and gives its slot to the next one. Returns how the generation ended, also when an earlier
 * call or the sweep has ended it.
 */
export async function endRun(hub: Hub, run: Run, ending: Omit<Ending, "id" | "runId" | "from">): Promise<RunResult> {
  const { generationId: id, runId } = run;
  const ended = await finishGeneration(hub, { ...ending, id, runId, from: ["running"] });
  if (ended) {
    await dispatchNextQueued(hub, ended.account_id);
    return resultOf(id, ended);
  }
  const result = await findResult(hub, run);
  // Two endings of one generation that share a statement: the other one was of an earlier run, and did nothing.
  return result.status === "running" ? endRun(hub, run, ending) : result;
}

/** Returns how the generation of a run stands. */
export async function findResult(hub: Hub, { generationId: id, runId }: Run): Promise<RunResult> {
  const [row] = await hub.db.query<Ended>(
    "SELECT status, billed_cost, error FROM generation WHERE id = $1 AND run_id = $2",
    [id, runId],
  );
  return row ? resultOf(id, row) : { id, status: "superseded", error: null, cost: null };
}

interface Ended {
  status: Status;
  billed_cost: Nano | null;
  error: Failure | null;
}

const resultOf = (id: string, { status, billed_cost, error }: Ended): RunResult => ({
  id,
  status,
  error: error && { code: error.code, message: error.message },
  cost: billed_cost === null ? null : formatDecimal(billed_cost),
});
