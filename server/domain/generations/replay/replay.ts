import type { Ctx } from "../../../context";
import { bool, int4, text, int8Number, timestamptz, uuid } from "../../../db/column-types";
import { statement } from "../../../db/statement";
import { AppError, idempotencyConflict } from "../../../errors";
import type { JsonText } from "../../../lib/json/codec";
import { matchesFingerprint } from "../../../lib/keyed-fingerprint";
import { type Generation, isFinal } from "../row";
import { generationColumns, generationSql } from "../row/sql";
import type { ReplayHub } from "./hub";
import { buildErasedAnswer } from "./erased-answer";
import { readAnswer } from "./stored-answer";

export interface Idempotency {
  key: string;
  /** SHA-256 over the canonical JSON of the body. */
  fingerprint: Buffer;
  /** The route whose keys are a separate scope; absent for the specified routes. */
  facade?: string;
}

/**
 * Returns the finished generation of this idempotency key, or null when the key is free. Throws 409
 * `idempotency_conflict` when its body was different, and 503 `generation_in_progress` when it has not finished.
 */
export async function findReplay(
  ctx: Ctx<ReplayHub>,
  isLlm: boolean,
  { key, fingerprint, facade }: Idempotency,
): Promise<Generation | null> {
  const [earlier] = await selectByKey(ctx.hub.db, ctx.account.id, isLlm, key, facade ?? "");
  if (!earlier) return null;
  if (!matchesFingerprint(ctx.hub, earlier.fingerprint, fingerprint)) throw idempotencyConflict();
  if (!isFinal(earlier.status)) {
    throw new AppError(
      "generation_in_progress",
      `Generation ${earlier.id} of this Idempotency-Key is ${earlier.status}.`,
      { generation_id: earlier.id, ...(earlier.missing.length > 0 && { missing: earlier.missing }) },
      {
        "Retry-After": "2",
        Location: `/api/v1/hub/generations/${earlier.id}`,
      },
    );
  }
  return earlier;
}

const selectByKey = statement({
  params: [int4, bool, text, text],
  row: generationColumns,
  text: `SELECT ${generationSql} FROM generation g WHERE g.account_id = $1 AND g.is_llm = $2 AND g.facade = $4 AND g.idempotency_key = $3`,
});

/**
 * For how many days after its end a generation keeps its idempotency key (the contract promises one day), and a chat with such
 * a key keeps its answer.
 */
export const RETENTION_DAYS = { key: 7, answer: 1 };
const DAY_MS = 86_400_000;

/** A chat that has ended, and its response body. */
export interface ReplayedChat {
  id: string;
  answer: JsonText;
  /** The output limit to which it was clamped; null if it was not. */
  maxTokens: number | null;
}

/**
 * Returns the chat of this idempotency key with its stored answer, which is empty if its content was erased, or null if it has
 * none or the key is free. Throws 409 and 503 like `findReplay`.
 */
export async function findReplayedChat(ctx: Ctx<ReplayHub>, idempotency: Idempotency): Promise<ReplayedChat | null> {
  const earlier = await findReplay(ctx, true, idempotency);
  if (!earlier) return null;
  const stored = await readAnswer(ctx.hub, earlier.id);
  // A concurrent request may have committed this answer asynchronously, so it must be durable before it is sent.
  await ctx.hub.services.waitForDurability();
  if (stored) return { id: earlier.id, ...stored };
  return (
    earlier.erased_at && { id: earlier.id, answer: buildErasedAnswer(earlier, idempotency.facade), maxTokens: null }
  );
}

/**
 * Clears up to `limit` idempotency keys of generations that ended a week ago, so that the index of keys does not grow
 * with history; the generations stay. Returns how many. A request with such a key either finds the generation, or starts
 * another one: its insert waits for this statement if that is not committed yet.
 */
export const purgeIdempotencyKeys = async (hub: ReplayHub, limit: number): Promise<number> =>
  (await clearKeys(hub.db, new Date(hub.now().getTime() - RETENTION_DAYS.key * DAY_MS), limit)).length;

const clearKeys = statement({
  params: [timestamptz, int8Number],
  row: { id: uuid },
  text: `
    UPDATE generation SET idempotency_key = NULL, fingerprint = NULL WHERE id IN (
      SELECT id FROM generation WHERE idempotency_key IS NOT NULL AND completed_at < $1
      ORDER BY completed_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING id`,
});

/**
 * Deletes up to `limit` answers older than a day and their idempotency keys; the generations stay. Returns how many.
 */
export const purgeAnswers = async (hub: ReplayHub, limit: number): Promise<number> =>
  (await clearAnswers(hub.db, new Date(hub.now().getTime() - RETENTION_DAYS.answer * DAY_MS), limit)).length;

const clearAnswers = statement({
  params: [timestamptz, int8Number],
  row: { id: uuid },
  text: `
    UPDATE generation SET stored_answer = NULL, idempotency_key = NULL, fingerprint = NULL WHERE id IN (
      SELECT id FROM generation WHERE stored_answer IS NOT NULL AND completed_at < $1
      ORDER BY completed_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING id`,
});
