/** Webhook endpoints, the URLs to which an account has its events sent, and the own webhooks of generations. Creates, lists and revokes them, and rotates secrets. */
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
export { EventName, OwnWebhookInput, WebhookInput } from "./input";
export { HOST_RETENTION_DAYS, MAX_HOSTS, openOwnWebhook, type OwnWebhook, type OwnWebhookRequest } from "./own-webhook";
export { reencryptWebhookSecrets } from "./reencrypt-secrets";
export { cancelPendingDeliveries, revokeEndpoint, revokeEndpoints } from "./revoke";
export {
  createEndpointServices,
  decryptWebhookSecret,
  isWebhookSecret,
  newWebhookSecret,
  rotateSecret,
} from "./secret";
export { getSigningSecret, rotateSigningSecret } from "./signing-secret";
