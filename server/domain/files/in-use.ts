import { unsettledStatesSql } from "../accounts/sql";
import { UUID_PATTERN } from "../../lib/id";
import { hasContentSql } from "./file";

// The id of the character in the input of the generation `g`.
const characterSql = "CASE WHEN g.input ->> 'character' ~ '^[0-9]{1,10}$' THEN (g.input ->> 'character')::bigint END";

/**
 * SQL for whether the file `f` is used by an unsettled generation that was accepted before the file expired: its input
 * contains the file's id or hash, or the character that the file belongs to.
 */
export const inUseSql = `EXISTS (
  SELECT FROM generation g CROSS JOIN lower(g.input::text) AS input_text
  WHERE g.account_id = f.account_id AND g.status IN (${unsettledStatesSql}) AND g.created_at < f.expires_at
    AND (strpos(input_text, f.id::text) > 0 OR strpos(input_text, 'sha256:' || encode(f.sha256, 'hex')) > 0
      OR ${characterSql} = (SELECT t.character_id FROM generation t WHERE t.id = f.generation_id)))`;

/** Returns SQL for whether the file `f` has expired at `now` (a placeholder). A file in use does not expire. */
export const expiredSql = (now: string) => `(f.removed_at IS NOT NULL OR (f.expires_at <= ${now} AND NOT ${inUseSql}))`;

/** Returns SQL for all files in use by these accounts: rows of `account_id`, `accepted_at`, `file_id`. */
export const filesInUseSql = (accounts: string) => `
  SELECT g.account_id, g.created_at AS accepted_at, coalesce(lower(reference[1])::uuid, held.id) AS file_id
  FROM generation g
  CROSS JOIN regexp_matches(g.input::text, '(${UUID_PATTERN})|sha256:([0-9a-f]{64})', 'gi') AS reference
  LEFT JOIN file held ON held.account_id = g.account_id AND held.sha256 = decode(reference[2], 'hex')
    AND ${hasContentSql("held")}
  WHERE g.status IN (${unsettledStatesSql}) AND g.account_id IN (${accounts})
  UNION ALL
  SELECT g.account_id, g.created_at, learned.id
  FROM generation g JOIN generation t ON t.account_id = g.account_id AND t.character_id = ${characterSql}
  JOIN file learned ON learned.generation_id = t.id
  WHERE g.status IN (${unsettledStatesSql}) AND g.account_id IN (${accounts})`;
