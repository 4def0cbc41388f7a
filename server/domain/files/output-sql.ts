import { NEVER_EXPIRES } from "./never-expires";

/**
 * SQL that makes the outputs of succeeded generations visible at the time `:now`; those of a character's training last as
 * long as the character. Needs the CTE `ended (id, status, fence, character_id, output_count)`; makes `published`.
 */
export const publishOutputsSql = `
  -- The outputs, which customers see from now on.
  published AS (
    UPDATE file SET stored_at = :now,
                    expires_at = CASE WHEN ended.character_id IS NULL THEN file.expires_at ELSE '${NEVER_EXPIRES}' END
    FROM ended
    WHERE ended.status = 'succeeded' AND file.generation_id = ended.id
      AND file.fence = ended.fence AND file.index < ended.output_count AND file.sha256 IS NOT NULL
    RETURNING file.*
  )`;

/**
 * SQL that lets the outputs of a character's training expire at the time `:outputs_expire_at`. Needs the CTE `deleted_character (id)`;
 * makes `expiring_files`.
 */
export const expireOutputsSql = `
  expiring_files AS (
    UPDATE file SET expires_at = :outputs_expire_at FROM deleted_character JOIN generation g ON g.character_id = deleted_character.id
    WHERE file.generation_id = g.id AND file.expires_at = '${NEVER_EXPIRES}'
  )`;
