/** Deliveries of events to endpoints: claims, attempts by the retry schedule, redelivery, tests. */
export { attemptDeliveries } from "./attempt-deliveries";
export { attemptDelivery } from "./attempt";
export { type ClaimedDelivery, type ClaimRequest, createClaimBatcher } from "./claim";
export { classifyResponse, MAX_RETRY_AFTER_SECONDS } from "./classify-response";
export { listDeliveries, listGenerationDeliveries, serializeDelivery } from "./delivery";
export { getDeliveryRequest } from "./get-request";
export { createAttemptBatcher, type EndedAttempt } from "./record-attempt";
export { redeliverDeliveries, redeliverDelivery, redeliverFailed } from "./redeliver";
export { EVENT_RETENTION_DAYS, pullBackDeliveries, purgeEvents, redispatchDeliveries } from "./redispatch-deliveries";
export { sendTest } from "./send-test";
export { ATTEMPT_TIMEOUT_MS } from "./send";
export { signatureHeaders } from "./sign";
