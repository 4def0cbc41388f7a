/**
 * Recognizes repeated requests: finds the response of an idempotency key, and lets the retry of a chat join the one that still
 * runs.
 */
export type { ReplayHub } from "./hub";
export {
  claimExpiry,
  claimJoinable,
  consumeClaim,
  type JoinClaim,
  markJoinable,
  purgeJoinable,
  readJoined,
  releaseClaim,
  RENEW_CLAIM_MS,
  type RepeatedRequest,
  renewClaim,
  takeOverPayment,
  withdrawUnclaimed,
} from "./joinable";
export { createReplayServices, type ReplayServices } from "./joinable-lookup";
export {
  findReplay,
  findReplayedChat,
  type Idempotency,
  purgeAnswers,
  purgeIdempotencyKeys,
  type ReplayedChat,
  RETENTION_DAYS,
} from "./replay";
export { readAnswer, sealAnswer } from "./stored-answer";
