import type { Ctx } from "../../context";
import { AppError, invalidInput } from "../../errors";
import { createRateView, toWholeSeconds, type RateLimit } from "../../lib/rate-view";
import type { TokensHub } from "./hub";

const WINDOW_MS = 60_000;

/** Returns how many tokens the key of a request may use in a minute; null for no limit. */
export const findTokenLimit = ({ actor }: Pick<Ctx<TokensHub>, "actor">): number | null =>
  actor.kind === "key" ? actor.tokensPerMinute : null;

/** Throws a 400 for a part of a request that alone has more tokens than the limit of its key, which no wait would change. */
export function checkTokenLimit(limit: number, place: string, tokens: number): void {
  if (tokens > limit)
    throw invalidInput(place, `has about ${tokens} tokens, but this API key may use at most ${limit} tokens a minute`);
}

/**
 * Reserves the tokens that a generation can use, at most all of a minute, if its key has a limit of tokens. Throws 429
 * while the last minute leaves fewer. What `settleTokens` does not correct stops counting after a minute.
 */
export async function reserveTokens(ctx: Ctx<TokensHub>, generationId: string, tokens: number): Promise<void> {
  const { hub, actor } = ctx;
  const quota = findTokenLimit(ctx);
  if (actor.kind !== "key" || quota === null) return;
  const amount = Math.min(tokens, quota);
  const { keyRates, tokenReservations } = hub.services;
  const { second, ...taken } = await keyRates.take({ keyId: actor.id, unit: "tokens", quota, amount });
  const rate: RateLimit = {
    ...taken,
    name: "key-tokens",
    unit: "tokens",
    quota,
    exhausted:
      `This API key may use ${quota} tokens a minute, of which ${taken.remaining} are left; ` +
      `this request can use up to ${amount}. A lower output limit reserves less.`,
  };
  if (!rate.allowed) throw toError(ctx, rate);
  ctx.rates?.add(rate);
  forgetExpired(hub);
  tokenReservations.set(generationId, { keyId: actor.id, second, tokens: amount });
}

/** Returns a 429 with the wait after which the request is within all limits that it counts against. */
function toError({ rates }: Ctx<TokensHub>, rate: RateLimit): AppError {
  const waitMs = Math.max(rate.waitMs, rates?.waitMs() ?? 0);
  const headers: Record<string, string> = { "Retry-After": String(toWholeSeconds(waitMs)) };
  createRateView(headers).add({ ...rate, waitMs });
  return new AppError("rate_limited", rate.exhausted, {}, headers);
}

/** Replaces what a generation has reserved with the tokens that it used. Never throws. */
export async function settleTokens(
  hub: Pick<TokensHub, "services">,
  generationId: string,
  used: number,
): Promise<void> {
  const { keyRates, tokenReservations } = hub.services;
  const reservation = tokenReservations.get(generationId);
  if (!reservation) return;
  tokenReservations.delete(generationId);
  const { keyId, second, tokens } = reservation;
  await keyRates.correct({ keyId, unit: "tokens" }, second, used - tokens);
}

/** Forgets reservations that no longer count, the oldest first. */
function forgetExpired({ now, services }: TokensHub): void {
  for (const [id, { second }] of services.tokenReservations) {
    if (second * 1000 + WINDOW_MS > now().getTime()) return;
    services.tokenReservations.delete(id);
  }
}
