import { setTimeout as sleep } from "node:timers/promises";
import type { Ctx } from "../../context";
import { isAppError } from "../../errors";
import { type ClientRequest, trackWrite } from "../chat";
import { type GenerationRequest, startGeneration } from "../generations/intake";
import { type Generation, isFinal } from "../generations/row";
import { getStoredGeneration, waitForEnd } from "../generations/read";
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
import { generationError, stillRunning } from "./generation-error";
import type { OpenAiHub } from "./hub";

const MAX_WAIT_FOR_OPEN_MS = 1_000;
const CHECK_INTERVAL_MS = 50;

export interface WaitingRequest {
  /** Builds the input; called only for a new generation. */
  build: () => Promise<GenerationRequest>;
  idempotency: Idempotency | null;
  /** Null with an Idempotency-Key, and on a host without sockets. */
  client: ClientRequest | null;
  /** Aborts when the client disconnects. */
  disconnected: AbortSignal;
  onGeneration: (id: string) => void;
}

/** A generation that was started or found. */
export interface Started {
  id: string;
  replayed: boolean;
  claim: JoinClaim | null;
}

/**
 * Waits for a generation that was started or found, and returns it once it has succeeded. Throws 504 when it takes longer
 * than OPENAI_WAIT_SECONDS, and the error of a generation that failed. It goes on when the client disconnects.
 */
export async function finishWaiting(
  ctx: Ctx<OpenAiHub>,
  { id, claim }: Started,
  { client, disconnected }: Pick<WaitingRequest, "client" | "disconnected">,
): Promise<Generation> {
  let isAnswered = false;
  holdClaim(ctx.hub, claim, client, () => isAnswered);
  try {
    const generation = await waitForGeneration(ctx, id, disconnected);
    isAnswered = true;
    if (generation.status !== "succeeded") throw generationError(generation);
    return generation;
  } catch (error) {
    // The answer to give: the client does not repeat the request after it.
    isAnswered ||= isAppError(error) && error.status === 504;
    throw error;
  }
}

async function waitForGeneration(ctx: Ctx<OpenAiHub>, id: string, disconnected: AbortSignal): Promise<Generation> {
  const seconds = ctx.hub.env.OPENAI_WAIT_SECONDS;
  await waitForEnd(ctx.hub, id, seconds * 1000, disconnected);
  const generation = await getStoredGeneration(ctx, id);
  if (!isFinal(generation.status)) throw stillRunning(generation, seconds);
  return generation;
}

/**
 * Starts a generation, or finds that of the same idempotency key or of the request that an SDK repeats, also one that has not
 * ended. Throws the errors of `startGeneration`.
 */
export async function findOrStart(
  ctx: Ctx<OpenAiHub>,
  { build, idempotency, client }: Pick<WaitingRequest, "build" | "idempotency" | "client">,
): Promise<Started> {
  const earlier = idempotency ? await findByKey(ctx, idempotency) : client?.isRetry ? await join(ctx, client) : null;
  if (earlier) return earlier;
  const until = claimExpiry(ctx.hub);
  const columns = client ? { request_digest: client.digest, joinable_at: until } : {};
  try {
    const { generation, replayed } = await startGeneration(ctx, await build(), idempotency, columns);
    return { id: generation.id, replayed, claim: client && { id: generation.id, until } };
  } catch (error) {
    // A concurrent request has used the key.
    const concurrent = findIdInProgress(error);
    if (concurrent === undefined) throw error;
    return { id: concurrent, replayed: true, claim: null };
  }
}

/** Returns the generation of this key, also one that has not ended; null when the key is free. Throws 409. */
async function findByKey(ctx: Ctx<OpenAiHub>, idempotency: Idempotency): Promise<Started | null> {
  try {
    const earlier = await findReplay(ctx, false, idempotency);
    return earlier && { id: earlier.id, replayed: true, claim: null };
  } catch (error) {
    const id = findIdInProgress(error);
    if (id === undefined) throw error;
    return { id, replayed: true, claim: null };
  }
}

const findIdInProgress = (error: unknown) =>
  isAppError(error) && error.code === "generation_in_progress" ? error.extras.generation_id : undefined;

/**
 * Claims the generation whose client left and which this request repeats; null when there is none. Waits a moment for those
 * whose client still seems connected, because a disconnect may be noticed late (docs/decisions/0019-sdk-retries.md).
 */
async function join(ctx: Ctx<OpenAiHub>, { digest }: ClientRequest): Promise<Started | null> {
  for (const until = performance.now() + MAX_WAIT_FOR_OPEN_MS; ;) {
    const { claim, isLocked, isOpen } = await claimJoinable(ctx, digest);
    if (claim) return { id: claim.id, replayed: true, claim };
    if (!(isLocked || (isOpen && performance.now() < until))) return null;
    await sleep(CHECK_INTERVAL_MS);
  }
}

/**
 * Renews the claim of a request while it waits. Once its client has the answer, nobody can join any more; when the client
 * left without it, the next retry can. A slow download keeps the claim, so renewing ends only with the connection.
 */
function holdClaim(
  hub: OpenAiHub,
  claim: JoinClaim | null,
  client: ClientRequest | null,
  isAnswered: () => boolean,
): void {
  if (!claim || !client) return;
  let renewing: Promise<unknown> = Promise.resolve();
  const renewal = setInterval(() => {
    renewing = trackWrite(hub, renewClaim(hub, claim));
  }, RENEW_CLAIM_MS).unref();
  const end = async (delivered: boolean) => {
    clearInterval(renewal);
    // The claim's expiry is its fence, so a renewal under way comes first.
    await renewing;
    await trackWrite(hub, delivered && isAnswered() ? consumeClaim(hub, claim) : releaseClaim(hub, claim));
  };
  void client.delivered.then(end);
}
