import type { ProviderSettings } from "../../catalogue/model";
import { memoizePer } from "../../lib/memoize-per";
import { getConnection } from "../http/connection";
import type { Api } from "../http/api";

/** The revision of the API for requests that the hub has translated. */
const API_VERSION = "2023-06-01";

/** Anthropic's API and those of compatible servers. */
export const api: Api = {
  authorize: (apiKey) => ({ "x-api-key": apiKey, "anthropic-version": API_VERSION }),
};

/** Returns the path of the API at a provider, whose address may end with `/v1`. */
export const basePathOf = memoizePer((provider: ProviderSettings): string => {
  const { path } = getConnection(provider);
  return path.endsWith("/v1") ? path : `${path}/v1`;
});

/** Returns the headers of a request by the operator's key. */
export const headersOf = memoizePer(({ apiKey }: ProviderSettings): Record<string, string> => ({
  "content-type": "application/json",
  "user-agent": "generation-hub",
  "anthropic-version": API_VERSION,
  ...(apiKey !== null && { "x-api-key": apiKey }),
}));
