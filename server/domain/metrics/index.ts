/** Counts work for `/metrics`, classifies errors, and describes generations and provider requests in spans. */
export { classifyAttempt, classifyError, type FailedWork, withErrorType } from "./error-type";
export { annotateAnswer, annotateCharge, type MetricsHub, runInGenAiSpan, runInProviderSpan } from "./gen-ai-span";
export {
  type DeliveredUnits,
  type EndedAttempt,
  type EndedGeneration,
  modelLabel,
  recordAttemptEnd,
  recordGenerationEnd,
  recordGenerationStart,
  recordUnits,
} from "./record-work";
