import type { Ctx } from "../../context";
import { type Key, keySql } from "./key";

const MOST = 1_000;

/** The account's keys: those that work first, then the newest. Revoked ones stay, so that what they spent can be told. */
export const listKeys = (ctx: Ctx): Promise<Key[]> =>
  ctx.db.query<Key>(
    `SELECT ${keySql("$2")} FROM api_key k WHERE k.account_id = $1
     ORDER BY k.revoked_at IS NOT NULL, k.id DESC LIMIT ${MOST}`,
    [ctx.account.id, ctx.now()],
  );
