import type { Ctx } from "../../context";
import { int4, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import { type Key, keyColumns, keySql } from "./key";
import { periodSql } from "./period";

const MAX_KEYS = 1_000;

/** Returns the account's keys, active ones first, then the newest. Revoked keys stay listed with their spend. */
export const listKeys = (ctx: Ctx): Promise<Key[]> => selectKeys(ctx.hub.db, ctx.account.id, ctx.hub.now());

// Keys with a limit have running counters; the spend of the others is summed from open holds and billing totals.
const selectKeys = statement({
  params: [int4, timestamptz],
  row: keyColumns,
  text: `
  WITH held AS (
    SELECT key_id, sum(estimated_cost) AS amount FROM generation
    WHERE account_id = $1 AND status IN ('queued', 'running', 'awaiting_supply') GROUP BY key_id
  ),
  charged AS (SELECT key_id, sum(billed) AS amount FROM billing_total WHERE account_id = $1 GROUP BY key_id)
  SELECT ${keySql("(CASE WHEN k.spend_limit IS NULL THEN coalesce(held.amount, 0) + coalesce(charged.amount, 0) ELSE coalesce(s.reserved + s.charged, 0) END)::bigint")}
  FROM api_key k LEFT JOIN held ON held.key_id = k.id LEFT JOIN charged ON charged.key_id = k.id
  LEFT JOIN key_spending s ON s.key_id = k.id AND s.period = ${periodSql("k.spend_limit_reset", "$2::timestamptz")}
  WHERE k.account_id = $1
  ORDER BY k.revoked_at IS NOT NULL, k.id DESC LIMIT ${MAX_KEYS}`,
});
