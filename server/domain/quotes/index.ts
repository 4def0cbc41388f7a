/** Signs prices that customers are shown, and opens them again for what costs exactly that. */
export { openQuote, type QuotesHub, signQuote } from "./quote";
export { QuoteInput } from "./quote-input";
