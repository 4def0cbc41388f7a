import type { Ctx } from "../../context";
import { int4, jsonb, nullable, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { invalidInput, isAppError } from "../../errors";
import { toEuros, toEurosOrNull } from "../../lib/money";
import { openOwnWebhook, type OwnWebhook, type OwnWebhookRequest, reopenOwnWebhook } from "../endpoints";
import { cancelStoredGeneration } from "../generations/end";
import {
  buildGeneration,
  insertManyWithHold,
  insufficientCreditsError,
  type NewGeneration,
  type Training,
} from "../generations/intake";
import { dispatchQueued, queueSupplied } from "../generations/queue";
import { getStoredGeneration } from "../generations/read";
import type { Generation, Status } from "../generations/row";
import { withLabels } from "../labels";
import { getBaseModel } from "./base-model";
import {
  type Character,
  getCharacter,
  getCharacterStatus,
  invalidState,
  isResumable,
  trainingInput,
} from "./character";
import { writeFields } from "./edit-character";
import type { CharactersHub } from "./hub";
import { findResumeState, remainingTraining, type ResumeState } from "./resume-state";

interface StartOptions {
  parameters?: Record<string, unknown>;
  maxCost?: number;
  webhook?: OwnWebhookRequest;
  /** The id of a quote of the base model and the training's input. */
  quote?: string;
}

/**
 * Starts the training of a draft. `parameters` are merged into the character's and saved; `maxCost` limits the estimate, in
 * EUR. Throws a 409 `invalid_state` unless the character is a draft, then the errors of `startTraining`.
 */
export async function startCharacter(
  ctx: Ctx<CharactersHub>,
  id: string,
  { parameters, ...options }: StartOptions,
): Promise<Character> {
  for (;;) {
    const character = await getCharacter(ctx, id);
    if (getCharacterStatus(character) !== "draft") throw invalidState(character, "started");
    const merged = { ...character, parameters: { ...character.parameters, ...parameters } };
    const started = await startTraining(ctx, merged, options);
    if (started) return started;
  }
}

/**
 * Resumes a training that failed or was canceled from its last checkpoint, priced for the remaining work, with the same labels
 * and webhook. A training that awaits supply is checked again: it is queued when no file is missing, else a 409 `invalid_state`
 * lists what is missing. A training that its files have queued meanwhile is returned unchanged. Throws a 409 in any other state
 * too, and the errors of `startTraining`.
 */
export async function resumeCharacter(ctx: Ctx<CharactersHub>, id: string): Promise<Character> {
  for (;;) {
    const character = await getCharacter(ctx, id);
    if (isResumable(character)) {
      const { metadata, end_user: endUser } = await getStoredGeneration(ctx, character.generation_id!);
      const labeled = withLabels(ctx, { metadata, endUser });
      const resumed = await startTraining(labeled, character, {
        resumeState: await findResumeState(ctx, character),
        webhook: await findWebhook(ctx, character.generation_id!),
      });
      if (resumed) return resumed;
      continue;
    }
    if (await wasSupplied(ctx, character)) return character;
    if (getCharacterStatus(character) !== "awaiting_supply") throw invalidState(character, "resumed");
    await queueSupplied(ctx.hub, { id: character.generation_id! });
    const current = await getCharacter(ctx, id);
    if (getCharacterStatus(current) === "awaiting_supply") throw invalidState(current, "resumed");
    // A training that is resumable by now was just canceled, so it is resumed after all.
    if (!isResumable(current)) return current;
  }
}

/** Returns whether a training is queued after it awaited supply: the upload of its last file has queued it. */
async function wasSupplied(ctx: Ctx<CharactersHub>, character: Character): Promise<boolean> {
  if (getCharacterStatus(character) !== "queued") return false;
  return (await selectSupplied(ctx.hub.db, character.generation_id!, ctx.account.id)).length > 0;
}

// A training that awaits nothing is dispatched at the time of its creation.
const selectSupplied = statement({
  params: [uuid, int4],
  row: { id: uuid },
  text: "SELECT id FROM generation WHERE id = $1 AND account_id = $2 AND dispatched_at > created_at",
});

/**
 * Cancels the training and returns its generation (specification, section 4.3): used GPU time is billed, capped at the
 * estimate. A training that is already canceled is returned unchanged. Throws a 409 `invalid_state` in any other state.
 */
export async function cancelCharacter(ctx: Ctx<CharactersHub>, id: string): Promise<Generation> {
  const character = await getCharacter(ctx, id);
  if (character.generation_id === null) throw invalidState(character, "canceled");
  try {
    return await cancelStoredGeneration(ctx, character.generation_id);
  } catch (error) {
    const ended = isAppError(error) && error.code === "generation_not_cancelable";
    throw ended ? invalidState(await getCharacter(ctx, id), "canceled") : error;
  }
}

interface TrainingOptions {
  resumeState?: ResumeState | null;
  maxCost?: number;
  /** Of a request, or of the training that is resumed. */
  webhook?: OwnWebhookRequest | OwnWebhook;
  quote?: string;
}

/**
 * Inserts a training, holds its estimate and saves the character's fields, all in one transaction. Returns the character
 * with the new training; null when the character was changed concurrently. Throws, in this order, a 404 `model_not_found`,
 * a 400, a 409 for the quote, a 422, a 400 for `max_cost`, one for the webhook, and a 402.
 */
async function startTraining(
  ctx: Ctx<CharactersHub>,
  character: Character,
  { resumeState = null, maxCost = Infinity, webhook, quote }: TrainingOptions,
): Promise<Character | null> {
  const training = await buildTraining(ctx, character, { resumeState, quote });
  const { id, estimated_cost, status } = training;
  if (toEuros(estimated_cost) > maxCost) {
    throw invalidInput("max_cost", `must be at least the estimate, which is ${toEuros(estimated_cost)} EUR`);
  }
  if (webhook) {
    const open = "endpoint_id" in webhook ? reopenOwnWebhook(ctx, webhook) : openOwnWebhook(ctx, webhook);
    training.webhook = await open;
  }
  await ctx.hub.storage.checkRoom();
  const outcome = await ctx.hub.db.transaction(async (tx) => {
    if ((await lockCharacter(tx, character.id, character.version)).length === 0) return "changed";
    const [outcome] = await insertManyWithHold(tx, [training]);
    if (outcome === "accepted") await writeFields(tx, character, training.created_at);
    return outcome;
  });
  if (outcome === "insufficient_credits") throw await insufficientCreditsError(ctx, estimated_cost);
  if (outcome !== "accepted") return null;
  if (status !== "awaiting_supply") {
    dispatchQueued(ctx.hub, training);
    return withTraining(character, training);
  }
  // Checked again, because an upload that was stored before the training was committed has not found it.
  await queueSupplied(ctx.hub, { id });
  return getCharacter(ctx, String(character.id));
}

async function findWebhook(ctx: Ctx<CharactersHub>, generationId: string): Promise<OwnWebhook | undefined> {
  const [row] = await selectWebhook(ctx.hub.db, generationId, ctx.account.id);
  return row?.webhook ?? undefined;
}

const selectWebhook = statement({
  params: [uuid, int4],
  row: { webhook: nullable(jsonb<OwnWebhook>()) },
  text: "SELECT webhook FROM generation WHERE id = $1 AND account_id = $2",
});

/** Returns the character with its training as it was accepted; a worker may have claimed it since. */
const withTraining = (character: Character, training: NewGeneration & Training): Character => ({
  ...character,
  version: training.character_version,
  updated_at: training.created_at,
  generation_id: training.id,
  training: training.status,
  estimated_cost: training.estimated_cost,
  progress: training.progress,
  error: null,
  missing: [],
});

async function buildTraining(
  ctx: Ctx<CharactersHub>,
  character: Character,
  { resumeState, quote }: { resumeState: ResumeState | null; quote: string | undefined },
): Promise<NewGeneration & Training> {
  const { id, version, base_model } = character;
  const model = getBaseModel(ctx, base_model);
  const input = trainingInput(character);
  const request = { model: base_model, input, quote };
  const generation = await buildGeneration(ctx, request, { idempotency: null, root: "character" });
  const training = { ...generation, character_id: id, character_version: version + 1, checkpoint: null };
  return resumeState ? { ...training, ...remainingTraining(ctx, model, resumeState) } : training;
}

// A concurrent change waits for this lock, and then finds that the version has changed.
const lockCharacter = statement({
  params: [int4, int4],
  row: { id: int4 },
  text: "SELECT id FROM character WHERE id = $1 AND version = $2 AND deleted_at IS NULL FOR NO KEY UPDATE",
});

const MAX_TRAININGS = 20;

/** Returns the last 20 trainings of the account's character, newest first. */
export const listTrainings = (ctx: Ctx<CharactersHub>, { id }: Pick<Character, "id">) =>
  ctx.hub.db.prisma.generation.findMany({
    where: { characterId: id, accountId: ctx.account.id },
    orderBy: { characterVersion: "desc" },
    take: MAX_TRAININGS,
    select: { id: true, status: true, estimatedCost: true, billedCost: true, createdAt: true, completedAt: true },
  });

type ListedTraining = Awaited<ReturnType<typeof listTrainings>>[number];

/** Returns a training as the console shows it. */
export const serializeTraining = ({
  id,
  status,
  estimatedCost,
  billedCost,
  createdAt,
  completedAt,
}: ListedTraining) => ({
  id,
  status: status as Status,
  estimated_cost: toEuros(estimatedCost),
  billed_cost: toEurosOrNull(billedCost),
  created_at: createdAt.toISOString(),
  completed_at: completedAt?.toISOString() ?? null,
});
