import type { Ctx } from "../../context";
import { AppError, isAppError, withGeneration, withRepeatedGeneration } from "../../errors";
import { showFailure } from "../exposure";
import { withdrawGenerations } from "../generations/end";
import type { Idempotency } from "../generations/replay";
import { type Generation, isFinal } from "../generations/row";
import { getStoredGeneration, waitForEnd } from "../generations/read";
import {
  findOrStartGeneration,
  holdClaim,
  type RetriableRequest,
  type StartedGeneration,
} from "./find-or-start-generation";
import type { OpenAiHub } from "./hub";

interface WaitingRequest extends RetriableRequest {
  /** Aborts when the client disconnects. */
  disconnected: AbortSignal;
  onGeneration: (id: string) => void;
}

/**
 * Starts `count` equal generations, or finds those of the same idempotency key or of the request that an SDK retries. Returns
 * those that have succeeded, once all have ended; throws the first error when none has, and 504 when one is still running. If
 * one cannot be started, cancels the others and throws its error.
 */
export async function startGenerationsAndWait(
  ctx: Ctx<OpenAiHub>,
  count: number,
  request: WaitingRequest,
): Promise<{ generations: Generation[]; replayed: boolean }> {
  let input: ReturnType<WaitingRequest["build"]> | undefined;
  const build = () => (input ??= request.build());
  const all = await startAll(ctx, count, { ...request, build });
  for (const { id } of all) request.onGeneration(id);
  const results = await Promise.allSettled(all.map((started) => finishWaiting(ctx, started, request)));
  const generations = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const errors = results.flatMap((result) => (result.status === "rejected" ? [result.reason as Error] : []));
  // A generation that is still running will be charged, so its pictures must not be left out silently.
  const error = errors.find(isStillRunning) ?? (generations.length === 0 ? errors[0] : undefined);
  if (error !== undefined) throw error;
  return { generations, replayed: all.every(({ replayed }) => replayed) };
}

const isStillRunning = (error: unknown) => isAppError(error) && error.status === 504;

/** Starts all at once, so that their holds share one statement, and few have started if not all are covered. */
async function startAll(ctx: Ctx<OpenAiHub>, count: number, request: WaitingRequest): Promise<StartedGeneration[]> {
  const results = await Promise.allSettled(
    Array.from({ length: count }, (_, index) =>
      findOrStartGeneration(ctx, { ...request, idempotency: scopeByIndex(request.idempotency, index) }),
    ),
  );
  const all = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const failed = results.find((result) => result.status === "rejected");
  if (!failed) return all;
  const own = all.filter(({ replayed }) => !replayed).map(({ id }) => id);
  if (own.length > 0) await withdrawGenerations(ctx, own);
  throw failed.reason;
}

/** Returns the key in a separate scope for each generation but the first, whose scope is that of a single generation. */
const scopeByIndex = (idempotency: Idempotency | null, index: number): Idempotency | null =>
  idempotency && index > 0 ? { ...idempotency, facade: `${idempotency.facade}/${index + 1}` } : idempotency;

/**
 * Waits for a generation that was started or found, and returns it once it has succeeded. Throws 504 when it takes longer than
 * OPENAI_WAIT_SECONDS, and the error of a generation that failed. The generation continues when the client disconnects.
 */
async function finishWaiting(
  ctx: Ctx<OpenAiHub>,
  { id, claim, replayed }: StartedGeneration,
  { client, disconnected }: Pick<WaitingRequest, "client" | "disconnected">,
): Promise<Generation> {
  let hasAnswer = false;
  holdClaim(ctx.hub, claim, client, () => hasAnswer);
  const seconds = ctx.hub.env.OPENAI_WAIT_SECONDS;
  await waitForEnd(ctx.hub, id, seconds * 1000, disconnected);
  const generation = await getStoredGeneration(ctx, id);
  // The client does not repeat the request after any of these answers, 504 included.
  hasAnswer = true;
  if (generation.status === "succeeded") return generation;
  const error = isFinal(generation.status) ? generationError(ctx.hub, generation) : stillRunning(generation, seconds);
  throw replayed ? withRepeatedGeneration(error, id) : withGeneration(error, id);
}

/** Failures that the customer's input causes; all others are the provider's or the hub's. */
const clientErrors = new Set(["content_refused", "input_unavailable", "supply_timeout"]);

/** Returns headers that name the generation, and that stop OpenAI's SDKs from retrying and paying twice. */
const headersOf = (id: string): Record<string, string> => ({
  Location: `/api/v1/hub/generations/${id}`,
  "x-should-retry": "false",
});

/** Returns the error for a generation that failed or was canceled. */
function generationError({ exposure }: OpenAiHub, { id, status, provider, error: failure }: Generation): AppError {
  const error = showFailure(exposure, failure, provider);
  const message = error?.message ?? `The generation is ${status}.`;
  const isClientError = status === "canceled" || (error !== null && clientErrors.has(error.code));
  return new AppError("provider_error", message, { generation_id: id }, headersOf(id), isClientError ? 400 : 502);
}

/** Returns the 504 for a generation that takes longer than a request may wait. */
const stillRunning = ({ id }: Generation, seconds: number): AppError =>
  new AppError(
    "generation_in_progress",
    `The generation has not finished within ${seconds} seconds and is still running. Read it at /api/v1/hub/generations/${id}.`,
    { generation_id: id },
    headersOf(id),
    504,
  );
