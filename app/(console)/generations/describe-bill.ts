import { describePerUnit, type PriceUnit, priceUnits } from "@/server/catalogue/price-units";
import { sumTokens, tokenClasses, tokenClassNames } from "@/server/catalogue/token-classes";
import type { TierPrice } from "@/server/domain/pricing";
import type { TokenPrice } from "@/server/domain/tokens";
import type { Formats } from "../../ui/formats";
import type { GenerationDetail } from "./types";

type Billed = Pick<GenerationDetail, "status" | "estimated_cost" | "billed_cost" | "completed_at" | "price" | "tokens">;

/** The bill of a generation in sentences. */
export interface Bill {
  /** How the amount is calculated: "2 images × $0.04 per image × 0.92 €/$ = €0.0736". */
  sum: string | null;
  /** Which of the model's prices applies: "for resolution 2k"; empty if it has only one. */
  tier: string;
  /** Why the amount is what was reserved, or less. */
  reason: string;
}

/** Explains the bill of a generation, and the estimate of one that has not ended. */
export function describeBill(generation: Billed, formats: Formats): Bill {
  const { price } = generation;
  const tier =
    price.by === "tier"
      ? Object.entries(price.match)
          .map(([name, value]) => `${name} ${String(value)}`)
          .join(", ")
      : "";
  return {
    sum: describeSum(generation, formats),
    tier: tier && `for ${tier}`,
    reason: describeReason(generation, formats),
  };
}

function describeSum(generation: Billed, formats: Formats): string | null {
  const { status, price, estimated_cost, billed_cost, completed_at } = generation;
  const isSettled = completed_at !== null;
  // A free generation has only a reason, and so does a stopped one that delivered no units.
  if (isSettled && (!billed_cost || (status === "canceled" && price.by === "tier"))) return null;
  const cost = isSettled ? billed_cost! : estimated_cost;
  const result = ` = ${formats.euros(cost, 2, 9)}`;
  switch (price.by) {
    case "tier":
      return sumTier(price, cost, cost === estimated_cost, formats) + result;
    case "token": {
      const sum = isSettled ? sumUsed(generation, price, formats) : sumHeld(price, formats);
      return sum && sum + (isCapped(generation) ? ", at most the estimate" : "") + result;
    }
    case "gpu-second":
      return `${countOf(cost / price.price_per_second, "second", formats)} of GPU time × ${formats.euros(price.price_per_second, 2, 9)} per second${result}`;
    default:
      // Other versions of the hub may have used other kinds of prices.
      return null;
  }
}

/** Returns the factors of a price in USD. */
function sumTier(price: TierPrice, cost: number, isWhole: boolean, formats: Formats): string {
  const { unit, price_usd, next_price_usd: next } = price;
  const rate = `${formats.number(price.eur_per_usd, 9)} €/$`;
  const first = formats.dollars(price_usd);
  if (!unit) return `${first} × ${rate}`;
  const count = isWhole ? (price.quantity ?? 1) : countUnits(price, cost);
  const each = `${first} ${describePerUnit(unit)}`;
  if (count === null) return `(${each}${next === undefined ? "" : `, then ${formats.dollars(next)}`}) × ${rate}`;
  const units = countOf(count, unit, formats);
  if (next === undefined) return `${units} × ${each} × ${rate}`;
  const which = price.pictures === undefined ? "first" : "first of each image";
  return `${units} (${first} for the ${which}, then ${formats.dollars(next)}) × ${rate}`;
}

/** Returns for how many units an amount was billed; null if the amount does not show it. */
function countUnits(
  { price_usd, next_price_usd: next = price_usd, eur_per_usd, pictures = 1 }: TierPrice,
  cost: number,
) {
  const dollars = cost / eur_per_usd;
  if (next === price_usd || dollars <= price_usd) return price_usd > 0 ? dollars / price_usd : null;
  return next > 0 && pictures === 1 ? 1 + (dollars - price_usd) / next : null;
}

/** Returns a number of units with their name, such as "2 images". */
function countOf(quantity: number, unit: PriceUnit, formats: Formats): string {
  const count = formatUnits(quantity, unit, formats);
  const [one, many] = priceUnits[unit].noun;
  return `${count} ${count === "1" ? one : many}`;
}

/** Formats a number of units. Amounts are rounded up to nano-euros, so it may be off in later decimal places. */
function formatUnits(quantity: number, unit: PriceUnit, { number }: Formats): string {
  const { size } = priceUnits[unit];
  return size > 1 ? number(Math.round(quantity * size)) : number(quantity, 3);
}

function describeReason(generation: Billed, formats: Formats): string {
  const { status, estimated_cost, billed_cost, completed_at, price } = generation;
  if (completed_at === null) return "You never pay more than the estimate.";
  if (status !== "succeeded") return describeUnfinished(generation);
  if (isCapped(generation)) return "More was used than reserved. You never pay more than the estimate.";
  if (price.by === "token" && !generation.tokens) return "You never pay more than the estimate.";
  if ((billed_cost ?? 0) >= estimated_cost) return "Exactly the reserved amount was charged.";
  return `${describeUse(generation, formats)} The rest of the reserved amount was released.`;
}

/** Describes what a failed or canceled generation costs. */
function describeUnfinished({ status, billed_cost, price }: Billed): string {
  if (!billed_cost && status === "failed") return "Failures are free. The reserved amount was released.";
  if (!billed_cost) return "Nothing was charged. The reserved amount was released.";
  return price.by === "tier"
    ? "You pay what the provider bills for the work until it stopped, up to the estimate."
    : "You pay for the GPU time used. The rest of the reserved amount was released.";
}

/** Describes how much of the reserved amount was used. */
function describeUse({ price, billed_cost }: Billed, formats: Formats): string {
  switch (price.by) {
    case "tier": {
      const { unit, quantity = 1 } = price;
      const count = unit && countUnits(price, billed_cost ?? 0);
      return unit && typeof count === "number"
        ? `${formatUnits(count, unit, formats)} of ${countOf(quantity, unit, formats)} requested.`
        : "Less was delivered than requested.";
    }
    case "token":
      return `Reserved for up to ${formats.number(price.most_output_tokens)} output tokens.`;
    case "gpu-second":
      return `Reserved for up to ${formats.number(price.most_seconds)} seconds.`;
  }
}

/** Returns whether the tokens that were used cost more than what was reserved and charged. */
function isCapped(generation: Billed): boolean {
  const { price, estimated_cost } = generation;
  if (price.by !== "token" || !generation.tokens) return false;
  const cost = listTerms(generation, price).reduce((sum, { count, perMillion }) => sum + count * perMillion, 0);
  // Charges are rounded up to nano-euros.
  return (cost * multiplierOf(generation, price)) / 1_000_000 > estimated_cost + 1e-9;
}

/** Returns the classes of the tokens that were used, each with its price for a prompt of this length. */
function listTerms({ tokens: used }: Billed, price: TokenPrice) {
  if (!used) return [];
  const input = sumTokens(used.tokens, "input");
  const prices = price.long_context?.findLast(({ above }) => input > above) ?? price;
  return tokenClassNames.flatMap((name) => {
    const { within, noun } = tokenClasses[name];
    const count = used.tokens[name] ?? 0;
    const isPlain = name === within;
    if (count === 0 && !isPlain) return [];
    return { count, noun, perMillion: prices[`${name}_per_million`] ?? prices[`${within}_per_million`] };
  });
}

const multiplierOf = ({ tokens: used }: Billed, { service_tiers: tiers }: TokenPrice): number =>
  (used?.serviceTier && tiers?.[used.serviceTier]) || 1;

function sumUsed(generation: Billed, price: TokenPrice, formats: Formats): string | null {
  if (!generation.tokens) return null;
  const terms = listTerms(generation, price).map(
    ({ count, noun, perMillion }) => `${formats.number(count)} ${noun} × ${formats.euros(perMillion, 2, 9)} per 1M`,
  );
  const sum = terms.join(" + ");
  const multiplier = multiplierOf(generation, price);
  return multiplier === 1 ? sum : `(${sum}) × ${formats.number(multiplier)} for ${generation.tokens.serviceTier}`;
}

/** Returns the most that was reserved: at the dearest prices that the request could reach, if there are several. */
function sumHeld(price: TokenPrice, formats: Formats): string {
  const { most_input_tokens: input, most_output_tokens: output } = price;
  const hasOtherPrices =
    price.long_context !== undefined ||
    price.service_tiers !== undefined ||
    tokenClassNames.some((name) => name !== tokenClasses[name].within && price[`${name}_per_million`] !== undefined);
  if (hasOtherPrices)
    return `Up to ${formats.number(input)} input tokens and ${formats.number(output)} output tokens at the highest prices that this request can reach`;
  const term = (count: number, noun: string, perMillion: number) =>
    `${formats.number(count)} ${noun} × ${formats.euros(perMillion, 2, 9)} per 1M`;
  return `${term(input, tokenClasses.input.noun, price.input_per_million)} + ${term(output, tokenClasses.output.noun, price.output_per_million)}`;
}
