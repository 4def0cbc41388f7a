import { formatDecimal, type Nano, NANO_PER_UNIT } from "../../lib/money";
import { createPacer } from "../../lib/pace";
import { checkMatch, checkParameters } from "../check-parameters";
import { checkTokenPrices } from "../check-token-prices";
import { findCostWarnings } from "../find-cost-warnings";
import type { Catalogue, JsonSchema, OfferedModel, Route } from "../model";
import { factorOf } from "../frozen-book";
import type { Pricing, Tier, TokenPriceList, TokenPricing } from "../pricing";
import { scalePricing } from "../scale-pricing";
import { optionalTokenClasses } from "../token-classes";
import type { Path, ReportIssue, Schema } from "../subschemas";
import { type Book, type FixedPrice, matchesPattern } from "./book";
import type { ParsedBooks } from "./parse-books";
import { priceByBook } from "./price-by-book";
import type { BookEntry } from "./shape";

/** A price that is raised by a higher factor is probably a mistake, and could not be stored exactly. */
const MAX_RAISE = 100n;

/**
 * Checks books against a catalogue: that their models exist, that fixed prices are of the models' kind, and that nothing is
 * sold below what a route can cost. Throws CatalogueError with every issue and its line.
 */
export async function checkBooks({ entries, books, report, rejectIssues }: ParsedBooks, catalogue: Catalogue) {
  const pause = createPacer();
  for (const [index, entry] of entries.entries()) {
    const reportHere: ReportIssue = (path, message) => report(["books", index, ...path], message);
    checkPatterns(entry, catalogue, reportHere);
    for (const [place, fixed] of entry.fixed.entries()) {
      await pause();
      const model = catalogue.get(fixed.model);
      const price = books[index]!.fixed.get(fixed.model)!;
      if (model) checkFixed(model, price, fixed, (path, message) => reportHere(["fixed", place, ...path], message));
      else reportHere(["fixed", place, "model"], `is not a model of the catalogue: ${JSON.stringify(fixed.model)}`);
    }
    for (const model of catalogue.values()) {
      await pause();
      const loss = findLoss(model, books[index]!);
      if (loss) reportHere(placeOf(entry, model), loss);
    }
  }
  rejectIssues();
}

function checkPatterns(entry: BookEntry, catalogue: Catalogue, report: ReportIssue): void {
  const ids = [...catalogue.keys()];
  const check = (path: Path, pattern: string) => {
    if (!ids.some((id) => matchesPattern(pattern, id))) report(path, `matches no model: ${JSON.stringify(pattern)}`);
  };
  entry.models?.forEach((pattern, place) => check(["models", place], pattern));
  entry.multipliers.forEach(({ models }, place) => check(["multipliers", place, "models"], models));
}

const kindNames = { tier: "pricing_tiers", token: "llm", "gpu-second": "price_per_second" } as const;

/** Reports a fixed price that does not fit a model, or leaves out what the catalogue prices. */
function checkFixed(
  model: OfferedModel,
  price: FixedPrice,
  { llm }: BookEntry["fixed"][number],
  report: ReportIssue,
): void {
  const { pricing } = model;
  if (price.by !== pricing.by) report([], `${model.id} needs ${kindNames[pricing.by]}, as it has in the catalogue`);
  else if (price.by === "token" && pricing.by === "token")
    checkFixedTokens(pricing, price, { ...llm }, (path, message) => report(["llm", ...path], message));
  else if (price.by === "tier" && pricing.by === "tier")
    checkFixedTiers(pricing, price.tiers, model.parametersSchema, (path, message) =>
      report(["pricing_tiers", ...path], message),
    );
}

function checkFixedTokens(pricing: TokenPricing, price: TokenPriceList, written: Schema, report: ReportIssue): void {
  checkTokenPrices({ ...written, implicit_cache_writes: pricing.writesImplicitly }, report);
  for (const name of optionalTokenClasses)
    if (pricing.perMillion[name] !== undefined && price.perMillion[name] === undefined)
      report([`${name}_cost_per_million`], "is required, because the catalogue has this price");
}

function checkFixedTiers(
  { tiers, unit }: Extract<Pricing, { by: "tier" }>,
  fixed: Tier[],
  schema: JsonSchema,
  report: ReportIssue,
): void {
  const parameters = checkParameters(schema, () => undefined)!;
  const dearest = max(tiers.flatMap(({ price: { first, next } }) => [first, next]));
  for (const [index, { match, price }] of fixed.entries()) {
    checkMatch(parameters, match, (path, message) => report([index, "match", ...path], message));
    if (unit === null && price.next !== price.first)
      report([index, "next_price_usd"], "is for models that are priced by unit");
    if (max([price.first, price.next]) > MAX_RAISE * dearest)
      report([index], `is more than ${MAX_RAISE} times the catalogue's highest price of ${formatDecimal(dearest)} USD`);
  }
}

const max = (amounts: Nano[]): Nano => amounts.reduce((most, amount) => (amount > most ? amount : most));

/** Returns the place of the setting that decides a model's price in a book. */
function placeOf({ fixed, multipliers }: BookEntry, { id }: OfferedModel): Path {
  const own = fixed.findIndex(({ model }) => model === id);
  if (own >= 0) return ["fixed", own];
  const pattern = multipliers.findIndex(({ models }) => matchesPattern(models, id));
  return pattern >= 0 ? ["multipliers", pattern] : ["volume_discounts"];
}

/**
 * Returns a sentence if a book sells a model for less than a route can take, at the discount of its highest volume. Prices
 * that are not below the catalogue's are not losses of the book.
 */
function findLoss(model: OfferedModel, book: Book): string | null {
  const priced = priceByBook(model, book.levels.at(-1)!.terms);
  if (!priced) return null;
  const factor = factorOf(priced.pricing.book);
  const isLower = priced.pricing.book!.isFixed || factor < NANO_PER_UNIT;
  if (!isLower) return null;
  // Rounded down: a cost in nano is above the exact price if it is above that.
  const sold = { ...priced, pricing: scalePricing(priced.pricing, (amount) => (amount * factor) / NANO_PER_UNIT) };
  for (const route of model.routes) {
    const [warning] = findLosses(model.pricing, sold, route);
    if (warning) return `sells ${model.id} below cost: route ${route.id} ${warning}`;
  }
  return null;
}

/**
 * Returns how a route costs more than it sells for. Where it has no token costs of its own, the catalogue's prices are its
 * costs.
 */
function findLosses(catalogue: Pricing, sold: OfferedModel, route: Route): string[] {
  if (route.provider.kind === "sandbox" || route.provider.kind === "worker") return [];
  if (catalogue.by === "tier") return findCostWarnings(sold, route, catalogue.tiers);
  if (catalogue.by !== "token") return [];
  return findCostWarnings(sold, { ...route, tokenCosts: route.tokenCosts ?? catalogue });
}
