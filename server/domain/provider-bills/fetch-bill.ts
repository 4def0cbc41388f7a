import type { ProviderSettings } from "../../catalogue/model";
import { isObject } from "../../lib/is-object";
import { OperatorError } from "../../lib/operator-error";
import { isOutboundError } from "../../lib/safe-fetch";
import type { BillsHub } from "./hub";

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 4 * 1024 * 1024;

/** How a bill is read from a provider's API. */
export interface BillApi {
  hub: BillsHub;
  provider: ProviderSettings;
  /** Instead of the provider's own key, because sums of an organization need an administrator's. */
  apiKey: string | null;
}

/**
 * Returns the JSON object at a path of the provider's API, read by the safe client; null for a 404. Throws OperatorError for
 * anything else, with what to do about it.
 */
export async function fetchBillPage(
  { hub, provider, apiKey }: BillApi,
  path: string,
): Promise<Record<string, unknown> | null> {
  const key = apiKey ?? provider.apiKey;
  const headers = {
    accept: "application/json",
    "user-agent": "generation-hub",
    ...(key !== null && { authorization: `Bearer ${key}` }),
  };
  const options = { headers, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, connectionKey: `bill of ${provider.id}` };
  const response = await hub.fetch(`${provider.baseUrl}${path}`, options).catch((error: unknown) => {
    throw isOutboundError(error) ? new OperatorError(`${provider.id} cannot be asked. ${error.message}`) : error;
  });
  const { status } = response;
  if (status === 404) return null;
  if (status === 401 || status === 403)
    throw new OperatorError(
      `${provider.id} rejects the key (${status}). Sums of an organization need an administrator's key: name its variable ` +
        "by --key-variable.",
    );
  if (status !== 200) throw new OperatorError(`${provider.id} responded with status ${status}. Try again later.`);
  const page = await Promise.resolve(hub.json.parse(new Uint8Array(response.body), { fatal: false })).catch(() => null);
  if (!isObject(page)) throw new OperatorError(`${provider.id} did not respond with an object of JSON.`);
  return page;
}
