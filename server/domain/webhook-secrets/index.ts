/** Secrets that sign webhooks: their format and encryption, and the account's signing secret for generations' own webhooks. */
export type { WebhookSecretServices, WebhookSecretsHub } from "./hub";
export { reencryptWebhookSecrets } from "./reencrypt-secrets";
export {
  createWebhookSecretServices,
  decryptWebhookSecret,
  encryptWebhookSecret,
  isWebhookSecret,
  newWebhookSecret,
  OVERLAP_MS,
} from "./secret";
export { deleteSigningSecret, getSigningSecret, insertSigningSecret, rotateSigningSecret } from "./signing-secret";
