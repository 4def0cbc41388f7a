import type { Variables } from "../catalogue-variables";
import { providers } from "../providers/registry";
import type { ProviderSettings } from "./model";
import type { ProviderEntry } from "./shape";
import { substitute } from "./substitute";

/** Providers that need no settings and are therefore always available. */
export const builtInProviders: ProviderSettings[] = (["sandbox", "worker"] as const).map((kind) => ({
  id: kind,
  kind,
  baseUrl: null,
  hasOwnBaseUrl: false,
  apiKey: null,
  missing: [],
  maxInFlight: null,
  perMinute: null,
  spendLimitPerDay: null,
}));

/** Returns the settings of a checked provider, with its variables. */
export function buildProvider(entry: ProviderEntry, variables: Variables): ProviderSettings {
  const { id, kind, base_url = "", api_key = "" } = entry;
  const [base, key] = [substitute(base_url, variables), substitute(api_key, variables)];
  return {
    id,
    kind,
    baseUrl: base.value.replace(/\/+$/, "") || (providers[kind]?.defaultBaseUrl ?? null),
    hasOwnBaseUrl: base.value !== "",
    apiKey: key.value || null,
    missing: [...new Set([...base.missing, ...key.missing])],
    maxInFlight: entry.max_in_flight ?? null,
    perMinute: entry.per_minute ?? null,
    spendLimitPerDay: entry.spend_limit_usd ?? null,
  };
}
