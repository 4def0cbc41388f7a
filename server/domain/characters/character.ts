import { AppError } from "../../errors";
import { array, float4, int4, int8, jsonb, nullable, text, textOf, timestamptz, uuid } from "../../db/column-types";
import type { RowOf } from "../../db/statement";
import type { Failure, Generation, Status as TrainingStatus } from "../generations/row";
import type { Missing } from "../references";
import { missingSql } from "../references/sql";

export const statuses = ["draft", "awaiting_supply", "queued", "running", "ready", "failed", "canceled"] as const;
export type Status = (typeof statuses)[number];

/** The fields that customers write. */
export interface CharacterFields {
  name: string;
  /** Id of the worker model that trains the character. */
  base_model: string;
  trigger_word: string | null;
  images: string[];
  parameters: Record<string, unknown>;
}

export const characterColumns = {
  id: int4,
  version: int4,
  name: text,
  base_model: text,
  trigger_word: nullable(text),
  images: array(text),
  parameters: jsonb<Record<string, unknown>>(),
  created_at: timestamptz,
  updated_at: timestamptz,
  generation_id: nullable(uuid),
  training: nullable(textOf<TrainingStatus>()),
  estimated_cost: nullable(int8),
  progress: nullable(float4),
  error: nullable(jsonb<Failure>()),
  missing: nullable(jsonb<Missing[]>()),
  /** The sum over all its trainings. */
  billed_cost: nullable(int8),
};

/** A character with its newest training, which determines its status; null fields for a draft. Money in nano-euros. */
export type Character = RowOf<typeof characterColumns>;

/** SQL for the columns of a Character; select them from `charactersSql`. */
export const characterSql = `
  c.id, c.version, c.name, c.base_model, c.trigger_word, c.images, c.parameters, c.created_at,
  greatest(c.updated_at, newest.created_at, newest.started_at, newest.completed_at) AS updated_at,
  newest.id AS generation_id, newest.status AS training, newest.estimated_cost, newest.progress, newest.error, newest.missing,
  (SELECT sum(g.billed_cost)::bigint FROM generation g WHERE g.character_id = c.id) AS billed_cost`;

/** SQL for the FROM clause of `characterSql`: the table as `c` with its newest training. */
export const charactersSql = `
  character c LEFT JOIN LATERAL (
    SELECT g.id, g.status, g.estimated_cost, g.progress, g.error, g.created_at, g.started_at, g.completed_at, ${missingSql}
    FROM generation g WHERE g.character_id = c.id ORDER BY g.character_version DESC LIMIT 1
  ) newest ON true`;

/** Returns the status of the character, which follows its newest training. */
export const getCharacterStatus = ({ training }: Pick<Character, "training">): Status =>
  training === null ? "draft" : training === "succeeded" ? "ready" : training;

/** Returns whether a training is in progress. */
export const isBusy = (character: Character): boolean =>
  ["awaiting_supply", "queued", "running"].includes(getCharacterStatus(character));

/** Returns whether the newest training failed or was canceled, so that it can be resumed. */
export const isResumable = (character: Character): boolean =>
  ["failed", "canceled"].includes(getCharacterStatus(character));

/** Returns the input of the character's training. */
export const trainingInput = ({ parameters, images, trigger_word }: CharacterFields): Generation["input"] => ({
  ...parameters,
  images,
  ...(trigger_word !== null && { trigger_word }),
});

/** Returns a 409 for an action that the character's status forbids, with its missing files. */
export function invalidState(character: Character, action: string): AppError {
  const { missing } = character;
  const status = getCharacterStatus(character);
  const extras = status === "awaiting_supply" && missing ? { missing } : {};
  return new AppError("invalid_state", `A character that is ${status} cannot be ${action}.`, extras);
}
