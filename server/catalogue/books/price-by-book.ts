import type { Nano } from "../../lib/money";
import type { OfferedModel } from "../model";
import type { BookPrice, Pricing } from "../pricing";
import { type FixedPrice, findMultiplier, matchesPattern, type Terms } from "./book";

const priced = new WeakMap<Terms, WeakMap<OfferedModel, OfferedModel | null>>();

/**
 * Returns a model at the prices of a book; null if the book does not sell it, or if its fixed price is no longer of the
 * same kind as the catalogue's.
 */
export function priceByBook(model: OfferedModel, terms: Terms): OfferedModel | null {
  let models = priced.get(terms);
  if (!models) priced.set(terms, (models = new WeakMap()));
  let found = models.get(model);
  if (found === undefined) models.set(model, (found = createPriced(model, terms)));
  return found;
}

function createPriced(model: OfferedModel, { book, discount }: Terms): OfferedModel | null {
  const { id, revision, models } = book;
  if (models && !models.some((pattern) => matchesPattern(pattern, model.id))) return null;
  const fixed = book.fixed.get(model.id);
  if (fixed) {
    const pricing = replacePrice(model.pricing, fixed);
    return pricing && { ...model, pricing: { ...pricing, book: { id, revision, isFixed: true } } };
  }
  const multiplier: Nano | null = findMultiplier(book, model.id);
  const price: BookPrice = {
    id,
    revision,
    ...(multiplier !== null && { multiplier }),
    ...(discount > 0n && { discount }),
  };
  return { ...model, pricing: { ...model.pricing, book: price } };
}

/** Returns a price with the amounts of a fixed one; null if they are of another kind. */
function replacePrice(pricing: Pricing, fixed: FixedPrice): Pricing | null {
  if (pricing.by === "token" && fixed.by === "token") return { ...pricing, ...fixed };
  if (pricing.by === "gpu-second" && fixed.by === "gpu-second") return { ...pricing, ...fixed };
  return pricing.by === "tier" && fixed.by === "tier" ? { ...pricing, tiers: fixed.tiers } : null;
}
