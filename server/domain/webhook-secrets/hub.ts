import type { HubParts } from "../../context";

/** The services for the secrets of webhooks that the requests of one process share. */
export interface WebhookSecretServices {
  /** The keys that decrypt the secrets of webhooks; the first one also encrypts them. */
  webhookKeys: readonly Buffer[];
}

/** The parts of the hub that the secrets of webhooks use. */
export type WebhookSecretsHub = Pick<HubParts, "db" | "now"> & { services: WebhookSecretServices };
