const unsettled = "('queued', 'running', 'awaiting_supply')";
const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

// The character that the generation `g` names in its input.
const characterSql = "CASE WHEN g.input ->> 'character' ~ '^[0-9]{1,10}$' THEN (g.input ->> 'character')::bigint END";

/**
 * SQL: whether an unsettled generation that was accepted while the file `f` lived names it, or its hash, in its input,
 * or the character that it belongs to.
 */
export const inUseSql = `EXISTS (
  SELECT FROM generation g CROSS JOIN lower(g.input::text) AS written
  WHERE g.account_id = f.account_id AND g.status IN ${unsettled} AND g.created_at < f.expires_at
    AND (strpos(written, f.id::text) > 0 OR strpos(written, 'sha256:' || encode(f.sha256, 'hex')) > 0
      OR ${characterSql} = (SELECT t.character_id FROM generation t WHERE t.id = f.generation_id)))`;

/** SQL: whether the file `f` is past its time at `now` (a placeholder). Being in use keeps it alive. */
export const expiredSql = (now: string) => `(f.removed_at IS NOT NULL OR (f.expires_at <= ${now} AND NOT ${inUseSql}))`;

/** SQL: the same for many files at once: who names which file in its input (`account_id`, `accepted_at`, `file_id`). */
export const filesInUseSql = (accounts: string) => `
  SELECT g.account_id, g.created_at AS accepted_at, coalesce(lower(named[1])::uuid, held.id) AS file_id
  FROM generation g
  CROSS JOIN regexp_matches(g.input::text, '(${uuid})|sha256:([0-9a-f]{64})', 'gi') AS named
  LEFT JOIN file held ON held.account_id = g.account_id AND held.sha256 = decode(named[2], 'hex')
    AND held.stored_at IS NOT NULL AND held.removed_at IS NULL
  WHERE g.status IN ${unsettled} AND g.account_id IN (${accounts})
  UNION ALL
  SELECT g.account_id, g.created_at, learned.id
  FROM generation g JOIN generation t ON t.account_id = g.account_id AND t.character_id = ${characterSql}
  JOIN file learned ON learned.generation_id = t.id
  WHERE g.status IN ${unsettled} AND g.account_id IN (${accounts})`;
