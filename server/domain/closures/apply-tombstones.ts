import { array, nullable, text, textOf, timestamptz } from "../../db/column-types";
import type { Queryable } from "../../db/client";
import { statement } from "../../db/statement";
import { suspendAccounts } from "./account-state";
import type { Tombstone } from "../../storage/tombstones";

/**
 * Marks erased content that a restored backup has brought back, in the transaction that restores it; `erasePending` then erases
 * it. Accounts are suspended at once. Returns how many were found.
 */
export async function applyTombstones(tx: Queryable, tombstones: Tombstone[]): Promise<number> {
  const kinds = tombstones.map(({ kind }) => kind);
  const ids = tombstones.map(({ id }) => id);
  const times = tombstones.map(({ created_at }) => (created_at === undefined ? null : new Date(created_at)));
  const found = await insertFound(tx, kinds, ids, times);
  const accounts = found.filter(({ kind }) => kind === "account").map(({ id }) => Number(id));
  await suspendAccounts(tx, accounts);
  return found.length;
}

// After a restore, a new account or person may reuse an id, but never with the same creation time.
const insertFound = statement({
  params: [array(textOf<Tombstone["kind"]>()), array(text), array(nullable(timestamptz))],
  row: { kind: textOf<Tombstone["kind"]>(), id: text },
  text: `
    WITH erased AS (
      SELECT DISTINCT kind, id, created_at
      FROM unnest($1::text[], $2::text[], $3::timestamptz[]) AS tombstone (kind, id, created_at)
    )
    INSERT INTO pending_erasure (kind, id)
    SELECT kind, erased.id FROM erased JOIN account a ON a.id::text = erased.id AND a.created_at = erased.created_at
    WHERE kind = 'account' AND a.closed_at IS NULL
    UNION
    SELECT kind, erased.id FROM erased JOIN person p ON p.id::text = erased.id AND p.created_at = erased.created_at
    WHERE kind = 'person' AND p.email NOT LIKE 'erased-%@erased.invalid'
    UNION
    SELECT kind, erased.id FROM erased
    JOIN generation g ON g.id = CASE WHEN kind IN ('generation', 'input') THEN erased.id::uuid END
    WHERE g.erased_at IS NULL OR kind = 'generation' AND (
      EXISTS (SELECT FROM file f WHERE f.generation_id = g.id AND f.removed_at IS NULL)
      OR EXISTS (SELECT FROM chat_reply r WHERE r.generation_id = g.id))
    ON CONFLICT DO NOTHING RETURNING kind, id`,
});
