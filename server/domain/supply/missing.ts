/** Content that a generation needs and its account does not hold, and the parameter that names it first. */
export interface Missing {
  /** Lower-case hexadecimal. */
  sha256: string;
  kind: string;
}

interface Wanted {
  account: string;
  sha256: string;
  /** When the generation that needs it was accepted. */
  at: string;
}

/**
 * SQL: whether the account holds this content for a generation of that time. A file that outlived it lasts as long as
 * the generation is unsettled, because the generation names it; one that is only kept alive by another does not count.
 */
export const ownedFileSql = ({ account, sha256, at }: Wanted): string => `EXISTS (
  SELECT FROM file f
  WHERE f.account_id = ${account} AND f.sha256 = ${sha256}
    AND f.stored_at IS NOT NULL AND f.removed_at IS NULL AND f.expires_at > ${at})`;

const wanted = { account: "g.account_id", sha256: "decode(item ->> 'sha256', 'hex')", at: "g.created_at" };

/** SQL: FROM and WHERE of what the generation `g` still lacks while it waits: `item`, in the order `n`. */
export const missingInputsSql = `
  FROM jsonb_array_elements(g.missing) WITH ORDINALITY AS list (item, n) WHERE NOT ${ownedFileSql(wanted)}`;

/** SQL: the column `missing` of the generation `g`: what it lacks now, or lacked when it ended. */
export const missingSql = `coalesce(CASE g.status
    WHEN 'awaiting_supply' THEN (SELECT jsonb_agg(item ORDER BY n) ${missingInputsSql}) ELSE g.missing END, '[]') AS missing`;
