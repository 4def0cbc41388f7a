import type { Catalogue, ProviderSettings } from "../../catalogue/model";
import { memoizePer } from "../../lib/memoize-per";

/** Returns whether the hub holds jobs back for a provider. */
export const hasLimits = ({ maxInFlight, perMinute, spendLimitPerDay }: ProviderSettings): boolean =>
  maxInFlight !== null || perMinute !== null || spendLimitPerDay !== null;

/** Returns the providers with limits whose routes a catalogue uses, by their ids. */
export const getLimitedProviders = memoizePer((catalogue: Catalogue): Map<string, ProviderSettings> => {
  const routes = [...catalogue.values()].flatMap((model) => model.routes);
  const limited = routes.map(({ provider }) => provider).filter(hasLimits);
  return new Map(limited.map((provider) => [provider.id, provider]));
});
