import type { Nano } from "../lib/money";
import type { PriceUnit } from "./price-units";
import type { OptionalTokenClass, TokenTotal } from "./token-classes";

/**
 * Values that parameters must have. `"present"` and `"absent"` stand for whether a parameter is given at all; an empty list
 * counts as absent.
 */
export type Match = Record<string, unknown>;

/** A price in USD for the first unit, and for each further one. */
export interface UnitPrice {
  first: Nano;
  next: Nano;
}

/** The first tier that matches the input sets the price. */
export interface Tier {
  match: Match;
  /** What the customer pays. */
  price: UnitPrice;
  /** The price before the catalogue's margin: what a provider takes on a route without a price of its own. */
  cost: UnitPrice;
}

/** How many units an input asks for at most. */
export type Quantity =
  /** The number in a parameter, which may be a text of digits. */
  | { from: "number"; parameter: string }
  /** The characters of a text, of which `size` make a unit. */
  | { from: "characters"; parameter: string; size: number }
  /** The megapixels of each picture and of the input pictures, times the number of pictures in the parameter `times`. */
  | { from: "megapixels"; size: PictureSize; inputs: Record<string, number>; times: string | null }
  /** Always this many, because the input does not show it: the length of a recording, or how many tokens a picture takes. */
  | { from: "max"; count: number };

/** The size of a picture: two parameters, or whole megapixels by the JSON text of one parameter's value. */
export type PictureSize =
  | { width: string; height: string }
  | { parameter: string; megapixels: ReadonlyMap<string, number> };

/** EUR per million tokens of each class; a class without a price costs as much as the plain tokens of its total. */
export type TokenPrices = Record<TokenTotal, Nano> & Partial<Record<OptionalTokenClass, Nano>>;

/** What tokens cost, by class, length of the prompt and service tier. */
export interface TokenPriceList {
  perMillion: TokenPrices;
  /** The prices of whole requests with more than `above` input tokens, ascending; the last that applies counts. */
  longContext: { above: number; perMillion: TokenPrices }[];
  /** What prices are multiplied by, in nano, for each service tier that has another price than the default one. */
  serviceTiers: Record<string, Nano>;
}

/** What an account's book makes of a price. */
export interface BookPrice {
  id: string;
  /** Of the books. */
  revision: number;
  /** What the catalogue's price is multiplied by; absent for 1. */
  multiplier?: Nano;
  /** The discount for the account's volume, as a fraction; absent for none. */
  discount?: Nano;
  /** Whether the price is the book's own, and not the catalogue's. */
  isFixed?: true;
}

export interface TokenPricing extends TokenPriceList {
  by: "token";
  /** Whether the provider writes prompts to its cache without being asked to. */
  writesImplicitly: boolean;
  contextLength: number | null;
  maxOutputTokens: number;
  book?: BookPrice;
}

/** A price, and what the account's book makes of it; without a book, it is the catalogue's. */
export type Pricing =
  /** USD: the first tier that matches, times the number of units if there is one. */
  (
    | { by: "tier"; tiers: Tier[]; unit: null; quantity: null }
    | { by: "tier"; tiers: Tier[]; unit: PriceUnit; quantity: Quantity }
    | TokenPricing
    /** EUR per second of GPU time; the estimate is the price of `maxSeconds`. */
    | { by: "gpu-second"; pricePerSecond: Nano; maxSeconds: number }
  ) & { book?: BookPrice };
