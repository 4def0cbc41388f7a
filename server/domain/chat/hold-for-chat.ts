import type { TokenPricing } from "../../catalogue/pricing";
import { type Ctx, runSlicedBodyWork } from "../../context";
import { AppError } from "../../errors";
import { newId } from "../../lib/id";
import { type Nano, toEuros } from "../../lib/money";
import type { Idempotency } from "../generations/replay";
import { insertWithHold, newGeneration } from "../generations/intake";
import type { Generation } from "../generations/row";
import { leaseUntil } from "../generations/run";
import { findFunds, type Funds } from "../ledger";
import { withErrorType } from "../metrics";
import { reserveTokens, settleTokens } from "../rates";
import { type Estimate } from "../pricing";
import { affordableTokens, type ChatEstimate, estimateChatInSlices, limitEstimate, type TokenPrice } from "../tokens";
import { withUntranslated } from "./count-prompt";
import { findEarlier } from "./find-earlier";
import { listFileTokens } from "./find-files";
import type { ChatHub } from "./hub";
import { limitTokens } from "./limit-tokens";
import type { ChatRequest } from "./request";
import { restoreIntegers, toStoredInput } from "./stored-input";

/**
 * Holds the chat's maximum cost and inserts its generation. A chat without an output limit gets the one that the available
 * balance and the key's spend limit cover, and in a dialect that clamps, every chat gets one that takes at most half of the
 * balance or the configured floor. Returns null when a concurrent request used its idempotency key. Throws 400 and 429 of the
 * key's limit of tokens, 503 and 409 of the idempotency key, and 402 `insufficient_credits` when the balance does not cover the
 * customer's limit, the lowest limit of a clamp, or, without either, a single output token.
 */
export async function holdForChat(
  ctx: Ctx<ChatHub>,
  request: ChatRequest,
  idempotency: Idempotency | null,
  digest: Buffer | null,
): Promise<Generation | null> {
  const { model, files } = request;
  const stored = request.dialect.storesNothing ? { ...request, input: NOT_STORED } : request;
  const counted = withUntranslated({ ...request, input: toCountedInput(request) });
  const pricing = model.pricing as TokenPricing;
  const fileTokens = listFileTokens(files);
  const highest = await runSlicedBodyWork(ctx, () => estimateChatInSlices(pricing, counted, fileTokens));
  const { estimate: full, promptTokens } = await limitTokens(ctx, request, markClamp(request, highest));
  // The balance read with the credential may be stale, so the chat is rejected only by a fresh one.
  let available = ctx.account.balance - ctx.account.reserved;
  for (let attempt = 1; ; attempt += 1) {
    const estimate = fitEstimate(ctx, request, full, available);
    const tokens = promptTokens + (estimate?.price.most_output_tokens ?? 0);
    const held = estimate && (await insertChat(ctx, stored, { tokens, ...estimate }, { idempotency, digest }));
    if (held) return held === "duplicate_key" ? null : held;
    const funds = await findFunds(ctx);
    available = funds.available;
    if (attempt < MAX_ATTEMPTS && fitEstimate(ctx, request, full, available)) continue;
    // A concurrent request with this key may hold what was available, and a repeated request never gets a 402.
    if (await findEarlier(ctx, idempotency)) return null;
    throw insufficientChatCreditsError(full, funds);
  }
}

/** Returns the input with all digits of integers that were sent, even those that parsing rounds, because upstream reads them. */
const toCountedInput = ({ input, sent }: ChatRequest): ChatRequest["input"] =>
  sent?.exact ? { ...input, ...restoreIntegers(input, sent.value, sent.exact), ...limitsOf(input) } : input;

/** Marks the estimate of a chat whose own limit is above its model's as clamped, in a dialect that clamps. */
function markClamp({ input, dialect }: ChatRequest, estimate: ChatEstimate): ChatEstimate {
  const { price } = estimate;
  const isAbove = Object.values(limitsOf(input)).some((limit) => Number(limit) > price.most_output_tokens);
  return dialect.clampsOutput && isAbove ? { ...estimate, price: { ...price, clamped: true } } : estimate;
}

/** What is stored of a request that its client forbids to store. */
const NOT_STORED = { omitted: "[not stored, as the client asked]" };

/** Each of these attempts may lose to concurrent requests of the account. */
const MAX_ATTEMPTS = 5;

/** How a retry finds a chat: by its idempotency key, or by the digest of its request. */
interface RetryMarks {
  idempotency: Idempotency | null;
  digest: Buffer | null;
}

/**
 * Holds an estimate and inserts the generation of a chat that starts now: as running, because no job engine runs it. Returns
 * null when the estimate is not covered. Throws 429 when its `tokens` exceed what the key's limit leaves.
 */
export async function insertChat(
  ctx: Ctx<ChatHub>,
  { model, input, routes }: Pick<ChatRequest, "model" | "routes"> & { input: Record<string, unknown> },
  { cost, price, tokens }: Estimate & { tokens: number },
  { idempotency, digest }: RetryMarks,
): Promise<Generation | "duplicate_key" | null> {
  const stored = await toStoredInput(ctx, input);
  const now = ctx.hub.now();
  const generation = newGeneration(ctx, model, idempotency, {
    id: newId(),
    status: "running",
    input: stored,
    estimated_cost: cost,
    price,
    provider: routes[0]!.provider.kind,
    created_at: now,
    started_at: now,
    deadline_at: leaseUntil(now),
    missing: [],
  });
  await reserveTokens(ctx, generation.id, tokens);
  let result;
  try {
    result = await insertWithHold(ctx.hub, {
      facade: idempotency?.facade,
      request_digest: digest,
      limits: ctx.account.limits,
      ...generation,
    });
  } finally {
    if (result !== "accepted") await settleTokens(ctx.hub, generation.id, 0);
  }
  if (result === "accepted") return generation;
  return result === "duplicate_key" ? result : null;
}

/** Returns the estimate that the available balance covers, or null when it does not cover even the lowest one. */
function fitEstimate(
  { hub }: Ctx<ChatHub>,
  { input, dialect }: ChatRequest,
  full: ChatEstimate,
  available: Nano,
): ChatEstimate | null {
  if (dialect.clampsOutput) return clampEstimate(full, available, hub.env.CHAT_LIMIT_FLOOR);
  if (full.cost <= available) return full;
  const tokens = isLimited(input) ? 0 : affordableTokens(full, available);
  return tokens === 0 ? null : limitEstimate(full, tokens);
}

/**
 * Returns the estimate that takes at most half of the available balance, so that as much is left for the next request, but
 * covers at least `floor` output tokens; null when the balance does not cover these.
 */
function clampEstimate(full: ChatEstimate, available: Nano, floor: number): ChatEstimate | null {
  const share = available / 2n;
  if (full.cost <= share) return full;
  const least = Math.min(floor, full.price.most_output_tokens);
  const clamped = limitEstimate(full, Math.max(affordableTokens(full, share), least));
  return clamped.cost <= available ? { ...clamped, price: { ...clamped.price, clamped: true } } : null;
}

/** Returns the output limit to which a chat was clamped; null if it was not. */
export function findClamp({ price }: Pick<Generation, "price">): number | null {
  const { clamped, most_output_tokens } = price as TokenPrice;
  return clamped ? most_output_tokens : null;
}

const limitsOf = ({ max_tokens, max_completion_tokens }: Record<string, unknown>) => ({
  max_tokens,
  max_completion_tokens,
});

const isLimited = ({ max_tokens, max_completion_tokens }: Record<string, unknown>): boolean =>
  typeof (max_tokens ?? max_completion_tokens) === "number";

function insufficientChatCreditsError(estimate: ChatEstimate, funds: Funds): AppError {
  const { cost } = estimate;
  const { available, explanation: says, isSpendLimit, budget } = funds;
  const tokens = affordableTokens(estimate, available);
  const error = new AppError(
    "insufficient_credits",
    `This can cost up to ${toEuros(cost)} EUR, but ${says}` +
      (tokens > 0 ? `. That covers max_tokens of up to ${tokens}.` : ". That does not cover the prompt."),
    { required: toEuros(cost), available: toEuros(available), affordable_max_tokens: tokens, budget },
  );
  return isSpendLimit ? withErrorType(error, "policy_spend_limit") : error;
}
