/** Tokens by which operators' programs use the management API, and their daily credit limits. */
export { consumeDailyCredit } from "./daily-credit";
export {
  authenticateOperator,
  createOperatorToken,
  listOperatorTokens,
  type OperatorToken,
  revokeOperatorToken,
  serializeOperatorToken,
} from "./operator-token";
