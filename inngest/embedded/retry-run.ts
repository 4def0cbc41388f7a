import type { Hub } from "../../server/domain/hub";
import { operate, type Operator } from "../../server/domain/operator-actions";
import { AppError } from "../../server/errors";
import { retryRun } from "./jobs";

/** Restarts a failed run by an operator, as `retryRun` does. Throws a 404 when there is no failed run of that id. */
export async function retryFailedRun(hub: Hub, operator: Operator, id: string): Promise<void> {
  await operate(hub, operator, { action: "job.retry", target: { kind: "job", id } }, async (tx) => {
    if (!(await retryRun(tx, id))) throw new AppError("resource_not_found", `There is no failed job ${id}.`);
    return { before: null, after: null, result: undefined };
  });
}
