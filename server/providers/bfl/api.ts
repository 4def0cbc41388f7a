import { createHmac } from "node:crypto";
import type { ProviderSettings } from "../../catalogue/model";
import type { Api } from "../http/api";

/** Global, regional and delivery hosts are all below bfl.ai; older deliveries are at Azure. */
export const bflApi: Api = {
  authorize: (apiKey) => ({ "x-key": apiKey }),
  apiHosts: ["*.bfl.ai"],
  outputHosts: ["*.bfl.ai", "bfldelivery*.blob.core.windows.net"],
};

/** What a poll needs to find a job, kept as its upstream id. */
export interface Handle {
  id: string;
  /** Null when upstream gave none: it gives none if it will call back, and callbacks contain only the id. */
  pollingUrl: string | null;
}

export const formatHandle = (handle: Handle): string => JSON.stringify(handle);

/** Reads what `formatHandle` has written. */
export const parseHandle = (upstreamId: string): Handle => JSON.parse(upstreamId) as Handle;

/**
 * Returns the secret with which upstream signs the callback of an attempt; null for a server without a key. It is derived
 * from the key, so that nothing has to be stored, and whoever sees the callback's URL in a log cannot sign for it.
 */
export const deriveWebhookSecret = ({ apiKey }: ProviderSettings, attemptId: string): string | null =>
  apiKey === null ? null : createHmac("sha256", apiKey).update(`generation-hub callback ${attemptId}`).digest("hex");
