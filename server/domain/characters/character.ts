import type { Nano } from "../../lib/money";
import type { Failure, Generation } from "../generations/generation";
import type { Status as TrainingStatus } from "../generations/transitions";
import { type Missing, missingSql } from "../supply/missing";

export const statuses = ["draft", "awaiting_supply", "queued", "running", "ready", "failed", "canceled"] as const;
export type Status = (typeof statuses)[number];

/** What its owner writes. */
export interface CharacterFields {
  name: string;
  /** Id of the worker model that trains it. */
  base_model: string;
  trigger_word: string | null;
  images: string[];
  parameters: Record<string, unknown>;
}

/** A character with its newest training, from which its state is read; all of that is null for a draft. Money in nano-euros. */
export interface Character extends CharacterFields {
  id: number;
  version: number;
  created_at: Date;
  updated_at: Date;
  generation_id: string | null;
  training: TrainingStatus | null;
  estimated_cost: Nano | null;
  progress: number | null;
  error: Failure | null;
  missing: Missing[] | null;
  /** Of all its trainings. */
  billed_cost: Nano | null;
}

/** SQL: Characters from the table under the alias `c`. */
export const characterSql = `
  c.id, c.version, c.name, c.base_model, c.trigger_word, c.images, c.parameters, c.created_at,
  greatest(c.updated_at, newest.created_at, newest.started_at, newest.completed_at) AS updated_at,
  newest.id AS generation_id, newest.status AS training, newest.estimated_cost, newest.progress, newest.error, newest.missing,
  (SELECT sum(g.billed_cost)::bigint FROM generation g WHERE g.character_id = c.id) AS billed_cost`;

/** SQL: FROM for them. */
export const charactersSql = `
  character c LEFT JOIN LATERAL (
    SELECT g.id, g.status, g.estimated_cost, g.progress, g.error, g.created_at, g.started_at, g.completed_at, ${missingSql}
    FROM generation g WHERE g.character_id = c.id ORDER BY g.character_version DESC LIMIT 1
  ) newest ON true`;

/** The state, which is that of its newest training. */
export const getCharacterStatus = ({ training }: Pick<Character, "training">): Status =>
  training === null ? "draft" : training === "succeeded" ? "ready" : training;

/** Whether a training is under way. */
export const isBusy = (character: Character): boolean =>
  ["awaiting_supply", "queued", "running"].includes(getCharacterStatus(character));

/** Whether its training ended before its end, so that it can be resumed. */
export const isResumable = (character: Character): boolean =>
  ["failed", "canceled"].includes(getCharacterStatus(character));

/** The input of its training. */
export const trainingInput = ({ parameters, images, trigger_word }: CharacterFields): Generation["input"] => ({
  ...parameters,
  images,
  ...(trigger_word !== null && { trigger_word }),
});
