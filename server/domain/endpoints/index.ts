/** Webhook endpoints: the URLs to which an account has its events sent. Creates, lists and revokes them, and rotates secrets. */
export { checkMoneyEvents, createEndpoint, MAX_ENDPOINTS } from "./create";
export {
  endpointNotFoundError,
  getEndpoint,
  type LastError,
  listEndpoints,
  listFailingEndpoints,
  serializeEndpoint,
} from "./endpoint";
export type { EndpointServices, EndpointsHub } from "./hub";
export { EventName, WebhookInput } from "./input";
export { cancelPendingDeliveries, revokeEndpoint, revokeEndpoints } from "./revoke";
export {
  createEndpointServices,
  decryptWebhookSecret,
  isWebhookSecret,
  newWebhookSecret,
  reencryptWebhookSecrets,
  rotateSecret,
} from "./secret";
