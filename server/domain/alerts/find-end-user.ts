import type { Queryable } from "../../db/client";
import { bytea, int4, nullable, text } from "../../db/column-types";
import { statement } from "../../db/statement";
import { type EndUserHub, getEndUserPads } from "../labels";
import { endUserHashSql } from "../labels/sql";

/** In how many of an account's newest generations the name is searched for. */
const MAX_SEARCHED = 10_000;

/**
 * Returns the name of an account's end user with this hash, from its newest generations; null if it was erased. Later erasures of
 * this generation wait for the transaction, so that they find what it stores.
 */
export async function findEndUser(
  tx: Queryable,
  hub: EndUserHub,
  accountId: number,
  hash: Buffer | null,
): Promise<string | null> {
  if (!hash) return null;
  const [found] = await selectEndUser(tx, { account: accountId, hash, ...getEndUserPads(hub) });
  return found?.end_user ?? null;
}

// A generation that is being erased or settled is skipped: a search of alerts never waits for one.
const selectEndUser = statement({
  params: { account: int4, hash: bytea, inner_pad: bytea, outer_pad: bytea },
  row: { end_user: nullable(text) },
  text: `
    SELECT end_user FROM generation WHERE id = (
      SELECT id FROM (
        SELECT id, account_id, end_user FROM generation WHERE account_id = :account ORDER BY id DESC LIMIT ${MAX_SEARCHED}
      ) newest
      WHERE end_user IS NOT NULL AND ${endUserHashSql("account_id", "end_user")} = :hash LIMIT 1
    ) FOR SHARE SKIP LOCKED`,
});
