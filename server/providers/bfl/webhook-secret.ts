import { createHmac } from "node:crypto";
import type { ProviderSettings } from "../../catalogue/model";

/**
 * Returns the secret with which upstream signs the callback of an attempt; null for a server without a key. It is derived
 * from the key, so that nothing has to be stored, and whoever sees the callback's URL in a log cannot sign for it.
 */
export const deriveWebhookSecret = ({ apiKey }: ProviderSettings, attemptId: string): string | null =>
  apiKey === null ? null : createHmac("sha256", apiKey).update(`generation-hub callback ${attemptId}`).digest("hex");
