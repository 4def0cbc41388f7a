import { type Ctx, runBodyWork } from "../../context";
import { AppError } from "../../errors";
import { type Nano, toEuros } from "../../lib/money";
import type { Idempotency } from "../generations/replay";
import { insertWithHold } from "../generations/intake";
import type { Generation } from "../generations/row";
import { findFunds, type Funds } from "../ledger";
import { withErrorType } from "../metrics";
import { affordableTokens, type Estimate, estimateCost, tokenCost, type TokenPrice } from "../pricing";
import { buildChat } from "./build-chat";
import type { ChatHub } from "./hub";
import type { ChatRequest } from "./request";
import { restoreIntegers } from "./stored-input";

/**
 * Holds the chat's maximum cost and inserts its generation. A chat without an output limit gets the one that the
 * available balance and the key's spend limit cover. Returns null when a concurrent request used its idempotency key.
 * Throws 402 `insufficient_credits` when no output token is covered, or not all of the customer's own limit.
 */
export async function holdForChat(
  ctx: Ctx<ChatHub>,
  request: ChatRequest,
  idempotency: Idempotency | null,
  digest: Buffer | null,
): Promise<Generation | null> {
  const { model, input, sent } = request;
  // Digits that parsing would round count as well, because upstream reads them.
  const counted = sent?.exact ? { ...restoreIntegers(input, sent.value, sent.exact), ...limitsOf(input) } : input;
  const full = await runBodyWork(ctx, () => estimateCost(ctx.hub, model, counted));
  const { balance, reserved } = ctx.account;
  // The balance read with the credential may be stale, so the chat is rejected only by a fresh one.
  let available = balance - reserved;
  for (let attempt = 1; ; attempt += 1) {
    const estimate = fitEstimate(request, full, available);
    if (estimate) {
      const generation = await buildChat(ctx, request, estimate, idempotency);
      const result = await insertWithHold(ctx.hub, {
        ...generation,
        request_digest: digest,
        follows_events: ctx.account.followsEvents ?? true,
      });
      if (result !== "insufficient_credits") return result === "accepted" ? generation : null;
    }
    const funds = await findFunds(ctx);
    available = funds.available;
    if (attempt === MAX_ATTEMPTS) throw insufficientChatCreditsError(full, funds);
  }
}

const MAX_ATTEMPTS = 3;

/** Returns the estimate that the available balance covers, or null when it covers no output token. */
function fitEstimate({ input }: ChatRequest, full: Estimate, available: Nano): Estimate | null {
  if (full.cost <= available || isLimited(input)) return full;
  const price = full.price as TokenPrice;
  const tokens = affordableTokens(price, available);
  if (tokens === 0) return null;
  const cost = tokenCost(price, { input: price.most_input_tokens, output: tokens });
  return { cost, price: { ...price, most_output_tokens: tokens } };
}

const limitsOf = ({ max_tokens, max_completion_tokens }: Record<string, unknown>) => ({
  max_tokens,
  max_completion_tokens,
});

const isLimited = ({ max_tokens, max_completion_tokens }: Record<string, unknown>): boolean =>
  typeof (max_tokens ?? max_completion_tokens) === "number";

function insufficientChatCreditsError({ cost, price }: Estimate, funds: Funds): AppError {
  const { available, explanation: says, isKeyLimit } = funds;
  const tokens = affordableTokens(price as TokenPrice, available);
  const error = new AppError(
    "insufficient_credits",
    `This can cost up to ${toEuros(cost)} EUR, but ${says}` +
      (tokens > 0 ? `. That covers max_tokens of up to ${tokens}.` : ". That does not cover the prompt."),
    { required: toEuros(cost), available: toEuros(available), affordable_max_tokens: tokens },
  );
  return isKeyLimit ? withErrorType(error, "policy_spend_limit") : error;
}
