/** SQL of this folder's tables that other folders compose; each docstring names the parameters and CTEs that it needs. */

/**
 * SQL that erases the states of trainings whose content was erased before their character was deleted: until then a training
 * could continue. Needs `deleted_character (id)`.
 */
export const eraseCheckpointsSql = `
    erased_checkpoint AS (
      UPDATE generation g SET checkpoint = NULL FROM deleted_character c
      WHERE g.character_id = c.id AND g.erased_at IS NOT NULL AND g.checkpoint IS NOT NULL
    )`;
