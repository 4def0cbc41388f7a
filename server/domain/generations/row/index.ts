/** Defines the row of a generation: its columns, states and failures. */
export {
  attemptLost,
  hubStopped,
  internalError,
  neverStarted,
  outputNotDownloaded,
  outputTooLarge,
  timedOut,
  unroutable,
} from "./failures";
export {
  type Failure,
  failureCodes,
  type Generation,
  MAX_OUTPUTS,
  type OutputRow,
  type VideoRequest,
  type VisibleGeneration,
} from "./generation";
export { priorities, type Priority, toPriority, toRank } from "./priority";
export { type FinalStatus, isFinal, type Status, statuses } from "./transitions";
