import type { Ctx } from "../../context";
import { type Key, keySql } from "./key";
import { periodSql } from "./period";

const MOST = 1_000;

/** The account's keys: those that work first, then the newest. Revoked ones stay, so that what they spent can be told. */
export const listKeys = (ctx: Ctx): Promise<Key[]> => ctx.db.query<Key>(statement, [ctx.account.id, ctx.now()]);

// A key with a limit counts as it spends; the others are summed up from what is under way and what was billed.
const statement = `
  WITH held AS (
    SELECT key_id, sum(estimated_cost) AS amount FROM generation
    WHERE account_id = $1 AND status IN ('queued', 'running', 'awaiting_supply') GROUP BY key_id
  ),
  charged AS (SELECT key_id, sum(billed) AS amount FROM billing_total WHERE account_id = $1 GROUP BY key_id)
  SELECT ${keySql("(CASE WHEN k.spend_limit IS NULL THEN coalesce(held.amount, 0) + coalesce(charged.amount, 0) ELSE coalesce(s.reserved + s.charged, 0) END)::bigint")}
  FROM api_key k LEFT JOIN held ON held.key_id = k.id LEFT JOIN charged ON charged.key_id = k.id
  LEFT JOIN key_spending s ON s.key_id = k.id AND s.period = ${periodSql("k.spend_limit_reset", "$2::timestamptz")}
  WHERE k.account_id = $1
  ORDER BY k.revoked_at IS NOT NULL, k.id DESC LIMIT ${MOST}`;
