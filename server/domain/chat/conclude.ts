import type { Hub } from "../../context";
import { AppError } from "../../errors";
import type { Generation } from "../generations/generation";
import { cost } from "../pricing/cost";
import type { TokenPrice } from "../pricing/price";
import type { Outcome } from "./call";
import { countTokens } from "./count-tokens";
import { present } from "./present";
import { refusal } from "./refusal";
import { settle } from "./settle";

/**
 * Settles a chat by what became of it, and answers its body, which is kept if its client has left. A failure costs
 * nothing and is thrown.
 */
export async function conclude(
  hub: Hub,
  generation: Generation,
  { state, tries }: Outcome,
  clientLeft: boolean,
): Promise<string> {
  if (state.state === "failed") {
    await settle(hub, generation.id, { to: "failed", cost: 0n, error: state.error, tries });
    throw refusal(state);
  }
  const price = generation.price as TokenPrice;
  const tokens = countTokens(state.completion, price);
  const due = cost(price, generation.estimated_cost, { tokens });
  const charged = due < generation.estimated_cost ? due : generation.estimated_cost;
  const answer = present(state.completion, generation, tokens, charged);
  tries.at(-1)!.cost = String(due);
  // Nobody can ask again for what has no key and was delivered.
  const kept = generation.idempotency_key !== null || clientLeft ? answer : undefined;
  const settled = await settle(hub, generation.id, { to: "succeeded", cost: due, answer: kept, tries });
  // It was taken for lost, and its hold is released: what was not charged is not handed out.
  if (!settled) throw new AppError("provider_error", "The answer came too late.", {}, { "Retry-After": "1" });
  return answer;
}
