import type { Ctx } from "../../context";
import { isAppError } from "../../errors";
import { cancelStoredGeneration } from "../generations/end";
import type { Generation } from "../generations/row";
import type { Idempotency } from "../generations/replay";
import { findOrStart, finishWaiting, type Started, type WaitingRequest } from "./generate-and-wait";
import type { OpenAiHub } from "./hub";

/**
 * Starts as many equal generations, or finds those of the same idempotency key or of the request that an SDK repeats, and
 * returns those that have succeeded, once all have ended. When one cannot be started, those before it are canceled and its
 * error is thrown. Throws the first error when none succeeds; one that fails costs nothing.
 */
export async function generateSetAndWait(
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
  // A generation that goes on is still paid for, so its pictures are not left out silently.
  const error = errors.find(isStillRunning) ?? (generations.length === 0 ? errors[0] : undefined);
  if (error !== undefined) throw error;
  return { generations, replayed: all.every(({ replayed }) => replayed) };
}

const isStillRunning = (error: unknown) => isAppError(error) && error.status === 504;

/** Starts them together, so that their holds share one statement: either all are covered, or hardly one has begun. */
async function startAll(ctx: Ctx<OpenAiHub>, count: number, request: WaitingRequest): Promise<Started[]> {
  const results = await Promise.allSettled(
    Array.from({ length: count }, (_, index) =>
      findOrStart(ctx, { ...request, idempotency: scopeByIndex(request.idempotency, index) }),
    ),
  );
  const all = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const failed = results.find((result) => result.status === "rejected");
  if (!failed) return all;
  const own = all.filter(({ replayed }) => !replayed);
  // One that has begun meanwhile goes on; its files are in the account.
  await Promise.allSettled(own.map(({ id }) => cancelStoredGeneration(ctx, id)));
  throw failed.reason;
}

/** Returns the key in a scope of its own for each generation after the first; that is where the key of one is. */
const scopeByIndex = (idempotency: Idempotency | null, index: number): Idempotency | null =>
  idempotency && index > 0 ? { ...idempotency, facade: `${idempotency.facade}/${index + 1}` } : idempotency;
