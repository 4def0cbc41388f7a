import { type Ctx, withPace } from "../../context";
import { AppError } from "../../errors";
import { type Nano, toEuros } from "../../lib/money";
import { insertWithHold } from "../generations/insert-with-hold";
import type { Idempotency } from "../generations/find-replay";
import type { Generation } from "../generations/generation";
import { findFunds, type Funds } from "../ledger/find-funds";
import { affordableTokens, tokenCost } from "../pricing/cost";
import { type Estimate, estimateCost } from "../pricing/estimate";
import type { TokenPrice } from "../pricing/price";
import { buildChat } from "./build-chat";
import type { ChatRequest } from "./request";

/**
 * Holds the most that the chat can cost, and makes its record. A chat without a limit of output tokens gets the one that
 * the available balance and the spend limit of the key cover. Null when its idempotency key was claimed meanwhile; 402
 * `insufficient_credits` when not even a token of output is covered, or not all of the customer's own limit.
 */
export async function holdForChat(
  ctx: Ctx,
  request: ChatRequest,
  idempotency: Idempotency | null,
  digest: Buffer | null,
): Promise<Generation | null> {
  const full = await withPace(ctx, () => estimateCost(ctx, request.model, request.input));
  const { balance, reserved } = ctx.account;
  // The balance that came with the key is a moment old; only a fresh one is a reason to refuse.
  let available = balance - reserved;
  for (let look = 1; ; look += 1) {
    const fitting = fit(request, full, available);
    if (fitting) {
      const generation = await buildChat(ctx, request, fitting, idempotency);
      const verdict = await insertWithHold(ctx.hub, {
        ...generation,
        request_digest: digest,
        follows_events: ctx.account.followsEvents ?? true,
      });
      if (verdict !== "insufficient_credits") return verdict === "accepted" ? generation : null;
    }
    const funds = await findFunds(ctx);
    available = funds.available;
    if (look === LOOKS) throw uncovered(full, funds);
  }
}

const LOOKS = 3;

/** The estimate to try; null when the available balance covers none. */
function fit({ input }: ChatRequest, full: Estimate, available: Nano): Estimate | null {
  if (full.cost <= available || isLimited(input)) return full;
  const price = full.price as TokenPrice;
  const tokens = affordableTokens(price, available);
  if (tokens === 0) return null;
  const cost = tokenCost(price, { input: price.most_input_tokens, output: tokens });
  return { cost, price: { ...price, most_output_tokens: tokens } };
}

const isLimited = ({ max_tokens, max_completion_tokens }: Record<string, unknown>): boolean =>
  typeof (max_tokens ?? max_completion_tokens) === "number";

function uncovered({ cost, price }: Estimate, { available, explanation: says }: Funds): AppError {
  const tokens = affordableTokens(price as TokenPrice, available);
  return new AppError(
    "insufficient_credits",
    `This can cost up to ${toEuros(cost)} EUR; ${says}` +
      (tokens > 0 ? `. That covers max_tokens of up to ${tokens}.` : ". That does not cover the prompt."),
    { required: toEuros(cost), available: toEuros(available), affordable_max_tokens: tokens },
  );
}
