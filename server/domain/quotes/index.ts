/** Encrypts prices that customers are shown, and opens them again for what costs exactly that. */
export { createQuote, openQuote, type QuotesHub } from "./quote";
export { QuoteInput } from "./quote-input";
