import { setTimeout as sleep } from "node:timers/promises";
import type { Ctx } from "../../context";
import { AppError, isAppError, withGeneration, withRepeatedGeneration } from "../../errors";
import { type ClientRequest, trackWrite } from "../chat";
import { showFailure } from "../exposure";
import { cancelStoredGeneration } from "../generations/end";
import { type GenerationRequest, startGeneration } from "../generations/intake";
import { type Generation, isFinal, type VideoRequest } from "../generations/row";
import { getStoredGeneration, type StoredGeneration, waitForEnd } from "../generations/read";
import {
  claimExpiry,
  claimJoinable,
  consumeClaim,
  findReplay,
  type Idempotency,
  type JoinClaim,
  releaseClaim,
  RENEW_CLAIM_MS,
  renewClaim,
} from "../generations/replay";
import type { OpenAiHub } from "./hub";

/** A second. Counted in checks, because a stall of this process is not time in which it could notice a disconnect. */
const MAX_CHECKS = 20;
const CHECK_INTERVAL_MS = 50;

interface WaitingRequest {
  /** Builds the input; called only for a new generation. */
  build: () => Promise<GenerationRequest & { video?: VideoRequest }>;
  idempotency: Idempotency | null;
  /** Null with an Idempotency-Key, and on a host without sockets. */
  client: ClientRequest | null;
  /** Aborts when the client disconnects. */
  disconnected: AbortSignal;
  onGeneration: (id: string) => void;
}

/** A generation that a request has started or found, with its claim on it, by which no other retry joins it. */
interface Started {
  id: string;
  replayed: boolean;
  claim: JoinClaim | null;
}

/**
 * Starts `count` equal generations, or finds those of the same idempotency key or of the request that an SDK retries. Returns
 * those that have succeeded, once all have ended; throws the first error when none has, and 504 when one is still running. If
 * one cannot be started, cancels the others and throws its error.
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
  // A generation that is still running will be charged, so its pictures must not be left out silently.
  const error = errors.find(isStillRunning) ?? (generations.length === 0 ? errors[0] : undefined);
  if (error !== undefined) throw error;
  return { generations, replayed: all.every(({ replayed }) => replayed) };
}

const isStillRunning = (error: unknown) => isAppError(error) && error.status === 504;

/** Starts all at once, so that their holds share one statement, and few have started if not all are covered. */
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
  // A generation that is already running may continue; its files are then stored in the account.
  await Promise.allSettled(own.map(({ id }) => cancelStoredGeneration(ctx, id)));
  throw failed.reason;
}

/** Returns the key in a scope of its own for each generation but the first, whose scope is that of a single generation. */
const scopeByIndex = (idempotency: Idempotency | null, index: number): Idempotency | null =>
  idempotency && index > 0 ? { ...idempotency, facade: `${idempotency.facade}/${index + 1}` } : idempotency;

/**
 * Waits for a generation that was started or found, and returns it once it has succeeded. Throws 504 when it takes longer than
 * OPENAI_WAIT_SECONDS, and the error of a generation that failed. The generation continues when the client disconnects.
 */
async function finishWaiting(
  ctx: Ctx<OpenAiHub>,
  { id, claim, replayed }: Started,
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

/** Starts or finds a generation like `findOrStart`, and returns it at once. */
export async function generate(
  ctx: Ctx<OpenAiHub>,
  request: Omit<WaitingRequest, "disconnected">,
): Promise<{ generation: StoredGeneration; replayed: boolean }> {
  const { id, replayed, claim } = await findOrStart(ctx, request);
  request.onGeneration(id);
  let hasAnswer = false;
  holdClaim(ctx.hub, claim, request.client, () => hasAnswer);
  const generation = await getStoredGeneration(ctx, id);
  hasAnswer = true;
  return { generation, replayed };
}

/**
 * Starts a generation, or finds the one with the same idempotency key or of the request that an SDK retries, even if it has not
 * ended. Throws the errors of `startGeneration`.
 */
export async function findOrStart(
  ctx: Ctx<OpenAiHub>,
  { build, idempotency, client }: Pick<WaitingRequest, "build" | "idempotency" | "client">,
): Promise<Started> {
  try {
    const earlier = idempotency && (await findReplay(ctx, false, idempotency));
    if (earlier) return { id: earlier.id, replayed: true, claim: null };
    const claim = client?.isRetry ? await claimEarlier(ctx, client) : null;
    if (claim) return { id: claim.id, replayed: true, claim };
    const until = claimExpiry(ctx.hub);
    const claimed = client ? { request_digest: client.digest, joinable_at: until } : {};
    const { video, ...request } = await build();
    const { generation, replayed } = await startGeneration(ctx, request, idempotency, { ...claimed, video });
    return { id: generation.id, replayed, claim: client && { id: generation.id, until, isMarked: client.isMarked } };
  } catch (error) {
    // A generation with this key has not ended: an earlier one, or that of a concurrent request.
    const running =
      isAppError(error) && error.code === "generation_in_progress" ? error.extras.generation_id : undefined;
    if (running === undefined) throw error;
    return { id: running, replayed: true, claim: null };
  }
}

/**
 * Claims a generation that this request repeats and whose client has left. Returns null when there is none. Waits a moment for
 * one whose client still seems connected, because a disconnect may be noticed late (docs/decisions/0019-sdk-retries.md).
 */
async function claimEarlier(ctx: Ctx<OpenAiHub>, client: ClientRequest): Promise<JoinClaim | null> {
  for (let checks = 0; ; checks += 1) {
    const { claim, isLocked, isOpen } = await claimJoinable(ctx, client);
    if (claim || !(isLocked || (isOpen && checks < MAX_CHECKS))) return claim;
    await sleep(CHECK_INTERVAL_MS);
  }
}

/**
 * Renews the claim of a request until its connection ends, because a slow download keeps the claim too. Consumes it if the
 * client got the answer; else releases it, and the next retry can join.
 */
function holdClaim(
  hub: OpenAiHub,
  claim: JoinClaim | null,
  client: ClientRequest | null,
  hasAnswer: () => boolean,
): void {
  if (!claim || !client) return;
  let renewing: Promise<unknown> = Promise.resolve();
  const renewal = setInterval(() => {
    renewing = trackWrite(hub, renewClaim(hub, claim));
  }, RENEW_CLAIM_MS).unref();
  const end = async (delivered: boolean) => {
    clearInterval(renewal);
    // The claim is identified by its expiry, which a renewal under way still changes.
    await renewing;
    await trackWrite(hub, delivered && hasAnswer() ? consumeClaim(hub, claim) : releaseClaim(hub, claim));
  };
  void client.delivered.then(end);
}
