import type { Ctx } from "../../context";
import { AppError, invalidInput } from "../../errors";
import { createRateView, toWholeSeconds, type RateLimit } from "../../lib/rate-view";
import type { TokensHub } from "./hub";
import { accountRateId, type Reservation } from "./key-rates";

const WINDOW_MS = 60_000;

/** A limit of tokens a minute that a request counts against. */
interface TokenLimit {
  keyId: string;
  quota: number;
  /** The owner of the limit, as messages name it. */
  owner: string;
}

/** Returns the limits of the request's key and of its account's price book, as far as they have one. */
function listLimits({ account, actor }: Pick<Ctx<TokensHub>, "account" | "actor">): TokenLimit[] {
  const ofKey = actor.kind === "key" ? actor.tokensPerMinute : null;
  const ofBook = account.terms?.book.limits.tokensPerMinute ?? null;
  return [
    ...(ofKey === null || actor.kind !== "key" ? [] : [{ keyId: actor.id, quota: ofKey, owner: "API key" }]),
    ...(ofBook === null ? [] : [{ keyId: accountRateId(account.id), quota: ofBook, owner: "account" }]),
  ];
}

/** Returns the lower limit of the request's key and its account; null if neither has one. */
export const findTokenLimit = (ctx: Pick<Ctx<TokensHub>, "account" | "actor">): TokenLimit | null =>
  listLimits(ctx).toSorted((a, b) => a.quota - b.quota)[0] ?? null;

/** Throws a 400 for a part of a request that has more tokens than the limit, because waiting cannot help. */
export function checkTokenLimit({ quota, owner }: TokenLimit, place: string, tokens: number): void {
  if (tokens > quota)
    throw invalidInput(place, `has about ${tokens} tokens, but this ${owner} may use at most ${quota} tokens a minute`);
}

/**
 * Reserves the tokens that a generation can use, at most all of a minute, if its key or its account has a limit of tokens.
 * Throws 429 while the last minute leaves fewer. What `settleTokens` does not correct stops counting after a minute.
 */
export async function reserveTokens(ctx: Ctx<TokensHub>, generationId: string, tokens: number): Promise<void> {
  const { keyRates, tokenReservations } = ctx.hub.services;
  const reserved: Reservation[] = [];
  for (const { keyId, quota, owner } of listLimits(ctx)) {
    const amount = Math.min(tokens, quota);
    const { second, ...taken } = await keyRates.take({ keyId, unit: "tokens", quota, amount });
    const rate: RateLimit = {
      ...taken,
      name: owner === "account" ? "tokens" : "key-tokens",
      unit: "tokens",
      quota,
      exhausted:
        `This ${owner} may use ${quota} tokens a minute, of which ${taken.remaining} are left; ` +
        `this request can use up to ${amount}. A lower output limit reserves less.`,
    };
    if (!rate.allowed) {
      await releaseTokens(ctx.hub, reserved, 0);
      throw toError(ctx, rate);
    }
    ctx.rates?.add(rate);
    reserved.push({ keyId, second, tokens: amount });
  }
  if (reserved.length === 0) return;
  forgetExpired(ctx.hub);
  tokenReservations.set(generationId, reserved);
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
  const { tokenReservations } = hub.services;
  const reserved = tokenReservations.get(generationId);
  if (!reserved) return;
  tokenReservations.delete(generationId);
  await releaseTokens(hub, reserved, used);
}

async function releaseTokens(
  { services }: Pick<TokensHub, "services">,
  reserved: Reservation[],
  used: number,
): Promise<void> {
  for (const { keyId, second, tokens } of reserved)
    await services.keyRates.correct({ keyId, unit: "tokens" }, second, used - tokens);
}

/** Forgets reservations that no longer count, the oldest first. */
function forgetExpired({ now, services }: TokensHub): void {
  for (const [id, [first]] of services.tokenReservations) {
    if (first!.second * 1000 + WINDOW_MS > now().getTime()) return;
    services.tokenReservations.delete(id);
  }
}
