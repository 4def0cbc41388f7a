import type { Ctx } from "../../context";
import { int4, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { isId } from "../../lib/id";
import type { RejectionsHub } from "./hub";

const MAX_COUNTED = 1_000;

/** Returns how many rejected requests of a key are stored; with `isMore` there are more than counted. */
export async function countRejected(
  { hub, account }: Ctx<RejectionsHub>,
  keyId: string,
): Promise<{ count: number; isMore: boolean }> {
  const [row] = isId(keyId) ? await selectCount(hub.db, account.id, keyId) : [];
  const count = row?.count ?? 0;
  return { count: Math.min(count, MAX_COUNTED), isMore: count > MAX_COUNTED };
}

const selectCount = statement({
  params: [int4, uuid],
  row: { count: int4 },
  text: `
    SELECT count(*)::int AS count
    FROM (SELECT FROM rejected_request WHERE account_id = $1 AND key_id = $2 LIMIT ${MAX_COUNTED + 1}) counted`,
});
