import { tokenClassNames } from "../../catalogue/price-units";
import { divCeil, type Nano, parseDecimal } from "../../lib/money";
import type { Price, TierPrice, TokenPrice } from "./price";
import { deliveredUnits, multiplyPrice, requestedUnits, type Units } from "./units";
import { isTokenCount, type Tokens, type Usage } from "./usage";

/**
 * Returns the cost of a success at its frozen price, in nano-euros rounded up once. That of tokens may exceed the
 * estimate: settlement caps the charge and records the excess. Missing or implausible usage costs the estimate, because
 * nothing else is known.
 */
export function computeCost(price: Price, estimate: Nano, usage: Usage): Nano {
  if (price.by === "tier") {
    const units = deliveredUnits(price, usage);
    const cost = units && tierCost(price, units);
    return cost !== null && cost < estimate ? cost : estimate;
  }
  const { tokens } = usage;
  if (price.by !== "token" || !tokens) return estimate;
  return tokenClassNames.every((name) => isTokenCount(tokens[name])) ? tokenCost(price, tokens) : estimate;
}

/** Returns the cost of units at a frozen price, in nano-euros rounded up once. */
export function tierCost({ price_usd, next_price_usd = price_usd, eur_per_usd }: TierPrice, units: Units): Nano {
  const price = { first: parseDecimal(price_usd), next: parseDecimal(next_price_usd) };
  return multiplyPrice(price, units, parseDecimal(eur_per_usd));
}

/**
 * Returns the units of its price that a generation used, at most those that it requested, which also count while the usage
 * is not known.
 */
export function countUnits(price: TierPrice, usage: Usage = {}): Units {
  const [requested, delivered] = [requestedUnits(price), deliveredUnits(price, usage)];
  return delivered && delivered.total < requested.total ? delivered : requested;
}

/** Returns the cost of the tokens of all classes together, in nano-euros rounded up once. */
export function tokenCost(price: TokenPrice, tokens: Tokens): Nano {
  let total = 0n;
  for (const name of tokenClassNames) total += parseDecimal(price[`${name}_per_million`]) * BigInt(tokens[name]);
  return divCeil(total, 1_000_000n);
}

/** Returns how many output tokens an amount covers after the whole prompt; 0 when it does not cover the prompt. */
export function affordableTokens(price: TokenPrice, available: Nano): number {
  const rest = available * 1_000_000n - parseDecimal(price.input_per_million) * BigInt(price.most_input_tokens);
  const perToken = parseDecimal(price.output_per_million);
  if (rest < 0n) return 0;
  const maxTokens = BigInt(price.most_output_tokens);
  return Number(perToken === 0n || rest / perToken > maxTokens ? maxTokens : rest / perToken);
}
