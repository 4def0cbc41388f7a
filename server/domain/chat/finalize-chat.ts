import { type Hub, withPace } from "../../context";
import { AppError } from "../../errors";
import type { Nano } from "../../lib/money";
import type { ChatState, Failure } from "../../providers/provider";
import type { Generation } from "../generations/generation";
import { computeCost } from "../pricing/cost";
import type { TokenPrice } from "../pricing/price";
import type { CallOutcome } from "./call-providers";
import { countTokens } from "./count-tokens";
import { serializeCompletion } from "./serialize-completion";
import { chatError } from "./chat-error";
import { settleChat } from "./settle-chat";

type Succeeded = Extract<ChatState, { state: "succeeded" }>;

const unusable: Failure = {
  code: "invalid_output",
  message: "The provider's answer could not be used.",
  retryable: true,
};

/**
 * Settles a chat by what became of it, and answers its body, which is kept if its client has left. A failure costs
 * nothing and is thrown, and so is an answer of which no bill can be made, whatever is wrong with it.
 */
export async function finalizeChat(
  hub: Hub,
  generation: Generation,
  { state, attempts }: CallOutcome,
  clientLeft: boolean,
): Promise<string> {
  const bill = state.state === "succeeded" ? await makeBill(hub, generation, state).catch(() => unusable) : state.error;
  if ("code" in bill) {
    if (state.state === "succeeded") Object.assign(attempts.at(-1)!, { outcome: "failed", cost: "0" });
    await settleChat(hub, generation.id, { to: "failed", cost: 0n, error: bill, attempts });
    throw chatError(state.state === "failed" ? state : { error: bill });
  }
  const { answer, due } = bill;
  attempts.at(-1)!.cost = String(due);
  // Nobody can ask again for what has no key and was delivered.
  const kept = generation.idempotency_key !== null || clientLeft ? answer : undefined;
  const settled = await settleChat(hub, generation.id, { to: "succeeded", cost: due, answer: kept, attempts });
  // It was taken for lost, and its hold is released: what was not charged is not handed out.
  if (!settled) throw new AppError("provider_error", "The answer came too late.", {}, { "Retry-After": "1" });
  return answer;
}

interface Bill {
  /** The body of the answer, as text. */
  answer: string;
  /** What upstream's work costs, also beyond the estimate. */
  due: Nano;
}

async function makeBill(hub: Hub, generation: Generation, { completion, isLarge }: Succeeded): Promise<Bill> {
  const price = generation.price as TokenPrice;
  const { estimated_cost: estimate } = generation;
  const tokens = await withPace({ hub, isLarge }, () => countTokens(completion, price));
  const due = computeCost(price, estimate, { tokens });
  const charged = due < estimate ? due : estimate;
  return {
    answer: await withPace({ hub, isLarge }, () => serializeCompletion(completion, generation, tokens, charged)),
    due,
  };
}
