/** Deliveries of events to endpoints: signed attempts by a retry schedule, redelivery, test events. */
export { attemptDeliveries, attemptDelivery } from "./attempt";
export { classifyResponse, MAX_RETRY_AFTER_SECONDS } from "./classify-response";
export { getDeliveryRequest, listDeliveries, listGenerationDeliveries, serializeDelivery } from "./delivery";
export { createDeliveryServices, type DeliveryServices } from "./hub";
export { redeliverDeliveries, redeliverDelivery, redeliverFailed } from "./redeliver";
export { EVENT_RETENTION_DAYS, pullBackDeliveries, purgeEvents, redispatchDeliveries } from "./redispatch-deliveries";
export { ATTEMPT_TIMEOUT_MS } from "./send";
export { sendTest } from "./send-test";
export { signatureHeaders } from "./sign";
