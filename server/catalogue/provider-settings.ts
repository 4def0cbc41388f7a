import type { Variables } from "../catalogue-variables";
import { providers } from "../providers/registry";
import type { ProviderSettings } from "./model";
import type { ProviderEntry } from "./shape";
import { readLoneVariable, substitute } from "./substitute";

/** Providers that need no settings and are therefore always available. */
export const builtInProviders: ProviderSettings[] = (["sandbox", "worker"] as const).map((kind) => ({
  id: kind,
  catalogueId: kind,
  kind,
  baseUrl: null,
  hasOwnBaseUrl: false,
  apiKey: null,
  keyVariable: null,
  keyWeight: 1,
  isRetired: false,
  missing: [],
  maxInFlight: null,
  perMinute: null,
  spendLimitPerDay: null,
}));

type KeyEntry = NonNullable<ProviderEntry["api_keys"]>[number];

/** Returns the settings of a checked provider with each of its keys, and with their variables. */
export function buildProvider(entry: ProviderEntry, variables: Variables): ProviderSettings[] {
  const { api_key = "", api_keys } = entry;
  if (!api_keys) return [buildWithKey(entry, { key: api_key, weight: 1, retired: false }, variables)];
  return api_keys.map((key) => {
    const settings = buildWithKey(entry, key, variables);
    return { ...settings, id: nameWithKey(entry.id, settings.keyVariable!) };
  });
}

/** Returns the id of a provider's settings with one of several keys. No id of a catalogue contains the separator. */
export const nameWithKey = (catalogueId: string, variable: string): string => `${catalogueId}@${variable}`;

function buildWithKey(entry: ProviderEntry, keyEntry: KeyEntry, variables: Variables): ProviderSettings {
  const { id, kind, base_url = "" } = entry;
  const [base, key] = [substitute(base_url, variables), substitute(keyEntry.key, variables)];
  return {
    id,
    catalogueId: id,
    kind,
    baseUrl: base.value.replace(/\/+$/, "") || (providers[kind]?.defaultBaseUrl ?? null),
    hasOwnBaseUrl: base.value !== "",
    apiKey: key.value || null,
    keyVariable: readLoneVariable(keyEntry.key),
    keyWeight: keyEntry.weight,
    isRetired: keyEntry.retired,
    missing: [...new Set([...base.missing, ...key.missing])],
    maxInFlight: keyEntry.max_in_flight ?? entry.max_in_flight ?? null,
    perMinute: keyEntry.per_minute ?? entry.per_minute ?? null,
    spendLimitPerDay: keyEntry.spend_limit_usd ?? entry.spend_limit_usd ?? null,
  };
}
