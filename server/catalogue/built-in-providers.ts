import type { ProviderSettings } from "./model";

/** They need no settings, so they are always there. */
export const builtInProviders: ProviderSettings[] = (["sandbox", "worker"] as const).map((kind) => ({
  id: kind,
  kind,
  baseUrl: null,
  apiKey: null,
}));
