import type { Nano } from "../../lib/money";
import type { Tier, TokenPriceList } from "../pricing";

/** A price of a book that replaces a model's, whatever the catalogue and the volume are. */
export type FixedPrice =
  | { by: "tier"; tiers: Tier[] }
  | ({ by: "token" } & TokenPriceList)
  | { by: "gpu-second"; pricePerSecond: Nano };

/** What a book makes of a catalogue: whom it sells what, and for how much. */
export interface Book {
  id: string;
  name: string;
  /** The revision of the books that it is part of. */
  revision: number;
  /** Patterns of the models that its accounts may use; null for all. */
  models: string[] | null;
  /** The first pattern that a model's id matches decides; without one, the catalogue's price counts. */
  multipliers: { models: string; multiplier: Nano }[];
  /** By the id of the model. */
  fixed: ReadonlyMap<string, FixedPrice>;
  /** The discounts, each as a fraction, once an account has spent `from` in a month (EUR), ascending. */
  discounts: { from: Nano; discount: Nano }[];
  /** Null for the hub's limits. */
  limits: { running: number | null; requestsPerMinute: number | null; tokensPerMinute: number | null };
  /** Credited when an account gets the book and has had no trial credit before, in EUR. */
  trialCredit: Nano;
  /** The terms by their volume, ascending; the first ones are those without a discount. */
  levels: { from: Nano; terms: Terms }[];
}

/** A book at the discount of an account's volume. */
export interface Terms {
  book: Book;
  discount: Nano;
}

/** The books by their ids. */
export type Books = ReadonlyMap<string, Book>;

/** Returns the terms of a book for an account that has spent `volume` in this month. */
export const findTerms = ({ levels }: Book, volume: Nano): Terms =>
  levels.findLast(({ from }) => volume >= from)!.terms;

/** Returns whether a model's id matches a pattern, in which `*` stands for any characters. */
export function matchesPattern(pattern: string, id: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return pattern === id;
  const last = rest.pop()!;
  if (!id.startsWith(first) || !id.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = id.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= id.length - last.length;
}

/** Returns what a book multiplies a model's price by; null if no pattern matches. */
export const findMultiplier = ({ multipliers }: Pick<Book, "multipliers">, modelId: string): Nano | null =>
  multipliers.find(({ models }) => matchesPattern(models, modelId))?.multiplier ?? null;
