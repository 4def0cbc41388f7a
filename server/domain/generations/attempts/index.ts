/** Records the attempts of a generation at providers, requests to stop them, and holds the claim of the run that makes them. */
export {
  type AttemptEnd,
  type AttemptOutcome,
  type AttemptRecord,
  type AttemptRow,
  findAttempts,
  findReportedAttempt,
  findUnreadReport,
  type PassedOverRoute,
  recordDelivery,
  recordProgress,
  recordReport,
  type RouteReason,
  routeReasons,
  skipReasons,
  toPassedOver,
} from "./attempts";
export { findCancelState } from "./cancel-request";
export {
  CLAIM_MS,
  claimForSubmit,
  claimUntil,
  holdClaim,
  MAX_SUBMIT_MS,
  renewClaim,
  type Run,
  takeOver,
} from "./claim";
export type { AttemptsHub } from "./hub";
