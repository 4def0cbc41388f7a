/** Content that a generation needs and its account does not have, with the first parameter that refers to it. */
export interface Missing {
  /** Lower-case hexadecimal. */
  sha256: string;
  kind: string;
}

interface ContentSql {
  account: string;
  sha256: string;
  /** When the generation that needs it was accepted. */
  at: string;
}

/**
 * Returns SQL for whether the account has this content for a generation accepted `at` that time. A file that had not
 * expired then lasts until the generation is settled, because the generation refers to it; an expired file that only
 * another generation keeps does not count.
 */
export const ownedFileSql = ({ account, sha256, at }: ContentSql): string => `EXISTS (
  SELECT FROM file f
  WHERE f.account_id = ${account} AND f.sha256 = ${sha256}
    AND f.stored_at IS NOT NULL AND f.removed_at IS NULL AND f.expires_at > ${at})`;

const missingItem = { account: "g.account_id", sha256: "decode(item ->> 'sha256', 'hex')", at: "g.created_at" };

/** SQL for the FROM and WHERE clauses of the content that the waiting generation `g` still misses: `item`, ordered by `n`. */
export const missingInputsSql = `
  FROM jsonb_array_elements(g.missing) WITH ORDINALITY AS list (item, n) WHERE NOT ${ownedFileSql(missingItem)}`;

/** SQL for the column `missing` of the generation `g`: what it misses now, or missed when it ended. */
export const missingSql = `coalesce(CASE g.status
    WHEN 'awaiting_supply' THEN (SELECT jsonb_agg(item ORDER BY n) ${missingInputsSql}) ELSE g.missing END, '[]') AS missing`;
