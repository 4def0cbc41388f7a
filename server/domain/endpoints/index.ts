/** Webhook endpoints: create, change, rotate the secret, revoke. */
export { checkPaymentEvents } from "./check-payment-events";
export { createEndpoint, MAX_ENDPOINTS } from "./create";
export { type LastError, serializeEndpoint } from "./endpoint";
export { endpointNotFoundError, getEndpoint, listEndpoints, listFailingEndpoints } from "./find-endpoints";
export type { EndpointServices, EndpointsHub } from "./hub";
export { EventName, WebhookInput } from "./input";
export { reencryptWebhookSecrets } from "./reencrypt-secrets";
export { cancelPendingDeliveries, revokeEndpoint, revokeEndpoints } from "./revoke";
export { rotateSecret } from "./rotate-secret";
export { createEndpointServices, decryptWebhookSecret, isWebhookSecret, newWebhookSecret } from "./secret";
