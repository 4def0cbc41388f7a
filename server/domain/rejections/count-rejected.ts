import type { Ctx } from "../../context";
import { int4, timestamptz, uuid } from "../../db/column-types";
import { type Bind, statement } from "../../db/statement";
import { isId } from "../../lib/id";
import type { RejectionsHub } from "./hub";
import { MAX_STORED_PER_MINUTE } from "./rejection-log";

const MAX_COUNTED = 1_000;

/** Counts the stored rejected requests of a key that made no generation, up to 1,000; `isMore` says that there are more. */
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
    SELECT count(*)::int AS count FROM (
      SELECT FROM rejected_request WHERE account_id = $1 AND key_id = $2 AND generation_id IS NULL LIMIT ${MAX_COUNTED + 1}
    ) counted`,
});

/** Returns SQL for how many requests of an account, a placeholder, were rejected in a range of time, but not stored. */
export function composeDroppedSql(account: string, range: { from?: Date; until?: Date }, bind: Bind): string {
  const where = [`account_id = ${account}`];
  if (range.from) where.push(`minute >= ${bind(timestamptz, range.from)}`);
  if (range.until) where.push(`minute < ${bind(timestamptz, range.until)}`);
  return `
    SELECT coalesce(sum(dropped + greatest(offered - ${MAX_STORED_PER_MINUTE}, 0)), 0)::int AS dropped
    FROM rejected_request_count WHERE ${where.join(" AND ")}`;
}
