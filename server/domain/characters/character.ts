import type { Ctx } from "../../context";
import type { Queryable } from "../../db/client";
import {
  array,
  float4,
  int4,
  int8,
  int8Number,
  jsonb,
  nullable,
  text,
  textOf,
  timestamptz,
  uuid,
} from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import { AppError } from "../../errors";
import { decodeCursor, type Page, toPage } from "../../lib/cursor";
import { type Nano, toEurosOrNull } from "../../lib/money";
import type { Failure, Generation, Status as TrainingStatus } from "../generations/row";
import { acceptsCharacter, findModel, isCompatible, isWorkerModel, listModels } from "../models";
import { estimateCost } from "../pricing";
import { MAX_CHARACTER_ID, type Missing } from "../references";
import { missingSql } from "../references/sql";
import type { CharactersHub } from "./hub";

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

/** A character with its newest training, whose fields are null for a draft. Money in nano-euros. */
export type Character = RowOf<typeof characterColumns>;

/** SQL for the columns of a Character; select them from `charactersSql`. */
export const characterSql = `
  c.id, c.version, c.name, c.base_model, c.trigger_word, c.images, c.parameters, c.created_at,
  greatest(c.updated_at, newest.created_at, newest.started_at, newest.completed_at) AS updated_at,
  newest.id AS generation_id, newest.status AS training, newest.estimated_cost, newest.progress, newest.error, newest.missing,
  (SELECT sum(g.billed_cost)::bigint FROM generation g WHERE g.character_id = c.id) AS billed_cost`;

/** SQL for the FROM clause of `characterSql`: the table as `c` with its newest training. */
const charactersSql = `
  character c LEFT JOIN LATERAL (
    SELECT g.id, g.status, g.estimated_cost, g.progress, g.error, g.created_at, g.started_at, g.completed_at, ${missingSql}
    FROM generation g WHERE g.character_id = c.id ORDER BY g.character_version DESC LIMIT 1
  ) newest ON true`;

/** Returns the status of a character, which follows from its newest training. */
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

/** Returns the 409 for an action that the character's status forbids, with its missing files. */
export function invalidState(character: Character, action: string): AppError {
  const { missing } = character;
  const status = getCharacterStatus(character);
  const extras = status === "awaiting_supply" && missing ? { missing } : {};
  return new AppError("invalid_state", `A character that is ${status} cannot be ${action}.`, extras);
}

/** Returns a character as the API shows it. */
export function serializeCharacter(ctx: Ctx<CharactersHub>, character: Character) {
  const status = getCharacterStatus(character);
  return {
    id: character.id,
    name: character.name,
    status,
    base_model: character.base_model,
    trigger_word: character.trigger_word,
    images: character.images,
    parameters: character.parameters,
    estimated_cost: toEurosOrNull(character.estimated_cost ?? estimateStart(ctx, character)),
    billed_cost: toEurosOrNull(character.billed_cost),
    currency: "EUR" as const,
    progress: character.progress,
    missing: character.missing ?? [],
    error: character.error,
    generation_id: character.generation_id,
    model: status === "ready" ? findCompatibleModel(ctx, character) : null,
    created_at: character.created_at.toISOString(),
    updated_at: character.updated_at.toISOString(),
  };
}

/** Returns the amount that a start would hold now; null when the base model is no longer offered. */
function estimateStart(ctx: Ctx<CharactersHub>, { base_model }: Character): Nano | null {
  const model = findModel(ctx, base_model);
  return model && isWorkerModel(model) ? estimateCost(ctx.hub, model, {}).cost : null;
}

/** Returns the first offered model that can use the character; null when there is none. */
const findCompatibleModel = (ctx: Ctx<CharactersHub>, { base_model }: Character): string | null =>
  listModels(ctx).find((model) => acceptsCharacter(model) && isCompatible(model.id, base_model))?.id ?? null;

/** Parses the id of a character; returns null when it is malformed. */
export function parseCharacterId(text: string): number | null {
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0;
  return id >= 1 && id <= MAX_CHARACTER_ID ? id : null;
}

/**
 * Returns a character of the account. Throws 404 `resource_not_found` for the id of a missing, a deleted or another account's
 * character and for a malformed id alike.
 */
export const getCharacter = (ctx: Ctx<CharactersHub>, id: string): Promise<Character> =>
  getCharacterBy(selectCharacter, ctx, id);

/** Returns the character that `select` finds, as `getCharacter` does. */
export async function getCharacterBy<Row>(
  select: (db: Queryable, id: number, accountId: number) => Promise<Row[]>,
  ctx: Ctx<CharactersHub>,
  id: string,
): Promise<Row> {
  const characterId = parseCharacterId(id);
  const [row] = characterId === null ? [] : await select(ctx.hub.db, characterId, ctx.account.id);
  if (!row) throw new AppError("resource_not_found", "There is no such character.");
  return row;
}

/** Returns SQL that selects these columns of the character `$1` of the account `$2`. */
export const getCharacterSql = (columns: string): string => `
  SELECT ${columns} FROM ${charactersSql} WHERE c.id = $1 AND c.account_id = $2 AND c.deleted_at IS NULL`;

const selectCharacter = statement({
  params: [int4, int4],
  row: characterColumns,
  text: getCharacterSql(characterSql),
});

interface PageRequest {
  limit: number;
  cursor?: string;
}

/** Returns a page of the account's characters, newest first. */
export const listCharacters = (ctx: Ctx<CharactersHub>, page: PageRequest): Promise<Page<Character>> =>
  listCharactersBy(selectCharacters, ctx, page);

/** Returns a page of the characters that `select` finds, as `listCharacters` does. */
export async function listCharactersBy<Row extends { id: number }>(
  select: (db: Queryable, accountId: number, before: number | null, limit: number) => Promise<Row[]>,
  ctx: Ctx<CharactersHub>,
  { limit, cursor }: PageRequest,
): Promise<Page<Row>> {
  const scope = JSON.stringify(["characters", ctx.account.id]);
  const before = cursor === undefined ? null : Number(decodeCursor(ctx.hub, scope, cursor));
  const rows = await select(ctx.hub.db, ctx.account.id, before, limit + 1);
  return toPage(ctx.hub, scope, rows, { limit, positionOf: ({ id }) => id });
}

/**
 * Returns SQL that selects these columns of at most `$3` characters of the account `$1`, before the id `$2`. BETWEEN and
 * ORDER BY account_id make the planner use the index by account, as for the list of generations.
 */
export const listCharactersSql = (columns: string): string => `
  SELECT ${columns} FROM ${charactersSql}
  WHERE c.account_id BETWEEN $1 AND $1 AND c.deleted_at IS NULL AND ($2::int IS NULL OR c.id < $2)
  ORDER BY c.account_id, c.id DESC LIMIT $3`;

const selectCharacters = statement({
  params: [int4, nullable(int4), int8Number],
  row: characterColumns,
  text: listCharactersSql(characterSql),
});
