import type { ProviderSettings } from "./model";

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
