import type { Ctx } from "../../context";
import { int4, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { isId } from "../../lib/id";

/** The most that `countRejected` counts. */
export const MAX_COUNTED = 1_000;

/** Returns how many rejected requests of a key are stored, at most `MAX_COUNTED`. */
export async function countRejected({ hub, account }: Ctx, keyId: string): Promise<number> {
  if (!isId(keyId)) return 0;
  const [row] = await selectCount(hub.db, account.id, keyId);
  return row!.count;
}

const selectCount = statement({
  params: [int4, uuid],
  row: { count: int4 },
  text: `
    SELECT count(*)::int AS count
    FROM (SELECT FROM rejected_request WHERE account_id = $1 AND key_id = $2 LIMIT ${MAX_COUNTED}) counted`,
});
