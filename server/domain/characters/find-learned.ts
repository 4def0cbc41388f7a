import type { Hub } from "../../context";
import { MAX_CHARACTER_ID } from "./character-id";

/** A trained character with the outputs of its training. */
export interface LearnedCharacter {
  name: string;
  trigger_word: string | null;
  base_model: string;
  deleted: boolean;
  outputs: { id: string; media_type: string }[];
}

/** Returns the account's trained character, even when it is deleted. Null when it does not exist or is not ready. */
export async function findLearnedCharacter(hub: Hub, accountId: number, id: unknown): Promise<LearnedCharacter | null> {
  if (!Number.isInteger(id) || Number(id) < 1 || Number(id) > MAX_CHARACTER_ID) return null;
  const [learned] = await hub.db.query<LearnedCharacter>(findLearnedSql, [id, accountId]);
  return learned ?? null;
}

const findLearnedSql = `
  SELECT c.name, g.input ->> 'trigger_word' AS trigger_word, g.model AS base_model, c.deleted_at IS NOT NULL AS deleted,
         json_agg(json_build_object('id', f.id, 'media_type', f.media_type) ORDER BY f.index) AS outputs
  FROM character c JOIN generation g ON g.character_id = c.id AND g.status = 'succeeded'
  JOIN file f ON f.generation_id = g.id AND f.stored_at IS NOT NULL AND f.removed_at IS NULL
  WHERE c.id = $1 AND c.account_id = $2
  GROUP BY c.id, g.id`;
