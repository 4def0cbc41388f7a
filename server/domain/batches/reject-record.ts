import type { Ctx } from "../../context";
import { int4, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { invalidInput } from "../../errors";
import type { BatchesHub } from "./hub";

/** Returns whether an id is that of a batch of the account, and not of a group of the client's own. */
export const isBatch = async ({ hub, account }: Ctx<Pick<BatchesHub, "db">>, id: string): Promise<boolean> =>
  (await selectBatch(hub.db, id, account.id)).length > 0;

/** Throws 400 if a client's own group would have the id of a batch, whose generations are fixed. */
export async function rejectBatchRecord(ctx: Ctx<Pick<BatchesHub, "db">>, id?: string): Promise<void> {
  if (id !== undefined && (await isBatch(ctx, id)))
    throw invalidInput("batch_id", "is that of a batch, to which nothing can be added");
}

const selectBatch = statement({
  params: [uuid, int4],
  row: { id: uuid },
  text: "SELECT id FROM batch WHERE id = $1 AND account_id = $2",
});
