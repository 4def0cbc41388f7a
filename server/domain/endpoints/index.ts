/** Webhook endpoints, the URLs to which an account has its events sent, and the own webhooks of generations. */
export { checkMoneyEvents, createEndpoint, MAX_ENDPOINTS } from "./create";
export {
  endpointNotFoundError,
  getEndpoint,
  type LastError,
  listEndpoints,
  listFailingEndpoints,
  serializeEndpoint,
} from "./endpoint";
export { listEndpointHealth } from "./health";
export type { EndpointsHub } from "./hub";
export { BatchWebhookInput, EventName, GenerationEventName, OwnWebhookInput, WebhookInput } from "./input";
export {
  HOST_RETENTION_DAYS,
  openOwnWebhook,
  type OwnWebhook,
  type OwnWebhookRequest,
  reopenOwnWebhook,
} from "./own-webhook";
export { cancelPendingDeliveries, revokeEndpoint, revokeEndpoints } from "./revoke";
export { rotateSecret } from "./rotate-secret";
