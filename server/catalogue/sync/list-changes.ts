import type { Nano } from "../../lib/money";
import { findTokenPrice } from "../find-token-price";
import type { TokenPriceList, TokenPrices } from "../pricing";
import { tokenClassNames } from "../token-classes";
import type { Priced } from "./named-price";

/** One price of a list that changes. */
export interface PriceChange {
  priced: Priced;
  /** Null if the list names no such price. */
  now: Nano | null;
  /** What is charged now, by this price or the price of plain tokens. */
  charged: Nano;
  then: Nano;
  /** By how many percent the charge changes, rounded away from zero to a tenth; null if there is none now. */
  percent: number | null;
}

/** Returns what differs between a price list and what it becomes. */
export function listChanges(now: TokenPriceList, then: TokenPriceList): PriceChange[] {
  const own = new Map(now.longContext.map((entry) => [entry.above, entry.perMillion]));
  const tiers = Object.entries(then.serviceTiers).map(([tier, factor]): PriceChange => {
    const before = now.serviceTiers[tier]!;
    return { priced: { tier }, now: before, charged: before, then: factor, percent: toPercent(before, factor) };
  });
  return [
    ...listClasses(now, null, now.perMillion, then.perMillion),
    ...then.longContext.flatMap(({ above, perMillion }) => listClasses(now, above, own.get(above) ?? {}, perMillion)),
    ...tiers,
  ].filter((change) => change.now !== change.then);
}

function listClasses(
  list: TokenPriceList,
  above: number | null,
  now: Partial<TokenPrices>,
  then: TokenPrices,
): PriceChange[] {
  return tokenClassNames.flatMap((name): PriceChange[] => {
    const price = then[name];
    if (price === undefined) return [];
    const charged = findTokenPrice(list, name, above === null ? 0 : above + 1);
    return [
      {
        priced: { class: name, above },
        now: now[name] ?? null,
        charged,
        then: price,
        percent: toPercent(charged, price),
      },
    ];
  });
}

function toPercent(before: Nano, after: Nano): number | null {
  if (before === 0n) return after === 0n ? 0 : null;
  const difference = after > before ? after - before : before - after;
  const tenths = Number((difference * 1_000n + before - 1n) / before);
  return (after > before ? tenths : -tenths) / 10;
}
