/** Deliveries of events to endpoints: claims, attempts by the retry schedule, redelivery, tests. */
export { attemptDelivery } from "./attempt";
export { attemptDeliveries } from "./attempt-deliveries";
export { classifyResponse, MAX_RETRY_AFTER_SECONDS } from "./classify-response";
export { listDeliveries, listGenerationDeliveries, serializeDelivery } from "./delivery";
export { getDeliveryRequest } from "./get-request";
export { createDeliveryServices, type DeliveryServices } from "./hub";
export { redeliverDeliveries, redeliverDelivery, redeliverFailed } from "./redeliver";
export { EVENT_RETENTION_DAYS, pullBackDeliveries, purgeEvents, redispatchDeliveries } from "./redispatch-deliveries";
export { ATTEMPT_TIMEOUT_MS } from "./send";
export { sendTest } from "./send-test";
export { signatureHeaders } from "./sign";
