/** Encrypts prices that customers are shown, and decrypts them for generations that then cost exactly that. */
export { createQuote, openQuote, type QuotesHub } from "./quote";
export { QuoteInput } from "./quote-input";
