/** Recognizes repeated requests: finds the response of an idempotency key, and lets the retry of a chat join the one that still runs. */
export type { ReplayHub } from "./hub";
export {
  claimExpiry,
  claimJoinable,
  consumeClaim,
  type JoinClaim,
  type Joined,
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
  ANSWER_RETENTION_DAYS,
  findReplay,
  findReplayedChat,
  type Idempotency,
  KEY_RETENTION_DAYS,
  purgeAnswers,
  purgeIdempotencyKeys,
  type ReplayedChat,
} from "./replay";
export { readAnswer, sealAnswer } from "./stored-answer";
