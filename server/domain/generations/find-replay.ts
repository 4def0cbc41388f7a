import type { Ctx } from "../../context";
import { bool, int4, text } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError } from "../../errors";
import { type Generation, generationColumns, generationSql } from "./generation";
import { isFinal } from "./transitions";

export interface Idempotency {
  key: string;
  /** SHA-256 over the canonical JSON of the body. */
  fingerprint: Buffer;
}

/**
 * Returns the finished generation of this idempotency key, or null when the key is free. Throws 409
 * `idempotency_conflict` when its body was different, and 503 `generation_in_progress` when it has not finished.
 */
export async function findReplay(
  ctx: Ctx,
  isLlm: boolean,
  { key, fingerprint }: Idempotency,
): Promise<Generation | null> {
  const [earlier] = await selectByKey(ctx.hub.db, ctx.account.id, isLlm, key);
  if (!earlier) return null;
  if (!earlier.fingerprint?.equals(fingerprint)) {
    throw new AppError(
      "idempotency_conflict",
      "This Idempotency-Key was used with a different body. Use a new key.",
      {},
      { "x-should-retry": "false" },
    );
  }
  if (!isFinal(earlier.status)) {
    throw new AppError(
      "generation_in_progress",
      `Generation ${earlier.id} of this Idempotency-Key is ${earlier.status}.`,
      { generation_id: earlier.id, ...(earlier.missing.length > 0 && { missing: earlier.missing }) },
      {
        "Retry-After": "2",
        Location: `/api/v1/hub/generations/${earlier.id}`,
      },
    );
  }
  return earlier;
}

const selectByKey = statement({
  params: [int4, bool, text],
  row: generationColumns,
  text: `SELECT ${generationSql} FROM generation g WHERE g.account_id = $1 AND g.is_llm = $2 AND g.idempotency_key = $3`,
});
