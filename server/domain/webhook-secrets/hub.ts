import type { HubParts } from "../../context";

/** What the requests of one process share of the secrets of webhooks. */
export interface WebhookSecretServices {
  /** The keys that decrypt the secrets of webhooks; the first one also encrypts them. */
  webhookKeys: readonly Buffer[];
}

/** What the secrets of webhooks need of the hub. */
export type WebhookSecretsHub = Pick<HubParts, "db" | "now"> & { services: WebhookSecretServices };
