import type { FrozenBook } from "../../catalogue/frozen-book";
import type { OptionalTokenClass, TokenTotal } from "../../catalogue/token-classes";

/** EUR per million tokens of each class; a class without a price costs as much as the plain tokens of its total. */
type PerMillion = Record<`${TokenTotal}_per_million`, number> &
  Partial<Record<`${OptionalTokenClass}_per_million`, number>>;

/** What tokens cost, by class, length of the prompt and tier of service. */
export type FrozenTokenPrices = PerMillion & {
  /** The prices of a whole request with more than `above` input tokens, ascending. */
  long_context?: ({ above: number } & PerMillion)[];
  /** What prices are multiplied by if a tier of service other than the default one serves. */
  service_tiers?: Record<string, number>;
  /** What the account's book makes of them; absent without a book. */
  book?: FrozenBook;
};

/** The price of a chat, stored with it as JSON. Members that its model does not have are absent. */
export type TokenPrice = FrozenTokenPrices & {
  by: "token";
  /** Whether the request asked for writes to a long cache. */
  writes_long?: true;
  /** Whether the output limit was lowered to what the balance covers, in a dialect whose clients expect that. */
  clamped?: true;
  /** What was paid already, in nano-euros: for a stream of the same request that broke on the hub's side. */
  already_paid?: number;
  /** The maximum tokens that the estimate covers. */
  most_input_tokens: number;
  most_output_tokens: number;
};
