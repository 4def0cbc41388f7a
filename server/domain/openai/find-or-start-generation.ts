import { setTimeout as sleep } from "node:timers/promises";
import type { Ctx } from "../../context";
import { isAppError } from "../../errors";
import { DISCONNECT_CHECK_MS, MAX_DISCONNECT_CHECKS } from "../../lib/late-disconnect";
import { type ClientRequest, trackWrite } from "../chat";
import { type GenerationRequest, startGeneration } from "../generations/intake";
import { getStoredGeneration, type StoredGeneration } from "../generations/read";
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
import type { VideoRequest } from "../generations/row";
import type { OpenAiHub } from "./hub";

/** A request for a generation, which may be a retry of an earlier one. */
export interface RetriableRequest {
  /** Builds the input; called only for a new generation. */
  build: () => Promise<GenerationRequest & { video?: VideoRequest }>;
  idempotency: Idempotency | null;
  /** Null with an Idempotency-Key, and on a host without sockets. */
  client: ClientRequest | null;
}

/**
 * A generation that a request has started or found, with the request's claim on it, which keeps other retries from joining it.
 */
export interface StartedGeneration {
  id: string;
  replayed: boolean;
  claim: JoinClaim | null;
}

/**
 * Starts a generation, or finds the one with the same idempotency key or of the request that an SDK retries, even if it has not
 * ended. Throws the errors of `startGeneration`.
 */
export async function findOrStartGeneration(
  ctx: Ctx<OpenAiHub>,
  { build, idempotency, client }: RetriableRequest,
): Promise<StartedGeneration> {
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

/** Finds or starts a generation like `findOrStartGeneration`, and returns it at once. */
export async function openGeneration(
  ctx: Ctx<OpenAiHub>,
  request: RetriableRequest & { onGeneration: (id: string) => void },
): Promise<{ generation: StoredGeneration; replayed: boolean }> {
  const { id, replayed, claim } = await findOrStartGeneration(ctx, request);
  request.onGeneration(id);
  let hasAnswer = false;
  holdClaim(ctx.hub, claim, request.client, () => hasAnswer);
  const generation = await getStoredGeneration(ctx, id);
  hasAnswer = true;
  return { generation, replayed };
}

/**
 * Claims a generation that this request repeats and whose client has left. Returns null when there is none. Waits a moment for
 * one whose client still seems connected, because a disconnect may be noticed late (docs/decisions/0019-sdk-retries.md).
 */
async function claimEarlier(ctx: Ctx<OpenAiHub>, client: ClientRequest): Promise<JoinClaim | null> {
  for (let checks = 0; ; checks += 1) {
    const { claim, isLocked, isOpen } = await claimJoinable(ctx, client);
    if (claim || !(isLocked || (isOpen && checks < MAX_DISCONNECT_CHECKS))) return claim;
    await sleep(DISCONNECT_CHECK_MS);
  }
}

/**
 * Renews the claim of a request until its connection ends, because a slow download keeps the claim too. Consumes it if the
 * client got the answer; else releases it, and the next retry can join.
 */
export function holdClaim(
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
