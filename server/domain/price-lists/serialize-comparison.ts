import type { Priced } from "../../catalogue/sync/named-price";
import type { ModelSync, PriceRow } from "../../catalogue/sync/sync-model";
import { tokenClasses } from "../../catalogue/token-classes";
import { toEuros, toEurosOrNull } from "../../lib/money";
import type { PriceComparison } from "./compare-prices";

export type SerializedComparison = ReturnType<typeof serializeComparison>;

/** Returns a comparison for people and programs: prices in EUR per million tokens, in the order of the catalogue. */
export const serializeComparison = ({ rates, models, missing }: PriceComparison) => ({
  eur_per_usd: toEuros(rates.eurPerUsd),
  /** The margin of the catalogue. */
  margin: toEuros(rates.margin),
  models: models.map(serializeModel),
  missing,
});

const serializeModel = ({ model, rows, unlisted, issue }: ModelSync) => ({
  model,
  changes: rows.map(serializeRow),
  /** Prices that the list does not have. */
  unlisted,
  /** Why its changes are not applied with those of others; null if they are. */
  issue: issue?.message ?? null,
  /** Whether they can be applied at all. */
  can_be_applied: rows.length > 0 && (issue === null || issue.isLarge),
});

const serializeRow = ({ priced, route, now, then, percent, listed, margin, source }: PriceRow) => ({
  price: describePriced(priced),
  /** The route whose cost it is; null for what customers pay. */
  route,
  now: toEurosOrNull(now),
  then: toEuros(then),
  percent,
  /** What the provider charges by the list; null for tiers. */
  listed_usd: toEurosOrNull(listed),
  /** What is charged, divided by what the provider charges by the list; null for costs and tiers. */
  margin_now: margin?.now ?? null,
  margin: margin?.then ?? null,
  source,
});

function describePriced(priced: Priced): string {
  if ("tier" in priced) return `Tier ${priced.tier}`;
  const { label } = tokenClasses[priced.class];
  return priced.above === null ? label : `${label} above ${priced.above.toLocaleString("en")} tokens`;
}
