import { eraseCheckpointsSql } from "../erasure/sql";
import { expireOutputsSql } from "../files/sql";

/**
 * SQL that deletes up to `$2` characters of the account `$1` with what people wrote, and lets the outputs of their trainings
 * expire. One statement, so that no snapshot has a deleted character whose outputs never expire.
 */
export const eraseCharactersSql = `
  WITH deleted_character AS (
    SELECT id FROM character WHERE account_id = $1 AND (name <> '(erased)' OR deleted_at IS NULL)
    LIMIT $2 FOR NO KEY UPDATE
  ),
  ${eraseCheckpointsSql},
  ${expireOutputsSql("file.created_at")}
  UPDATE character SET name = '(erased)', trigger_word = NULL, images = '{}', parameters = '{}',
                       deleted_at = coalesce(deleted_at, now())
  WHERE id IN (SELECT id FROM deleted_character)`;
