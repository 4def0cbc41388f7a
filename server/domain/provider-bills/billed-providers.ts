import type { ProviderSettings } from "../../catalogue/model";
import type { BillsHub } from "./hub";

/** Returns the settings of a provider with each of its keys, or with the one that the id names; none for an unknown provider. */
export function listBilledProviders({ catalogue }: Pick<BillsHub, "catalogue">, id: string): ProviderSettings[] {
  const found = new Map<string, ProviderSettings>();
  for (const { routes } of catalogue.values())
    for (const { provider } of routes)
      if (provider.id === id || provider.catalogueId === id) found.set(provider.id, provider);
  return [...found.values()];
}
