import { parseCatalogue, type ParsedCatalogue } from "../../catalogue/parse";
import type { CatalogueText } from "../../catalogue/merge-catalogues";
import { type EntryPath, listEntryPaths } from "../../catalogue/sync/entry-paths";
import { type Entry, pickEntries } from "../../catalogue/sync/pick-entries";
import { priceListError } from "../../catalogue/sync/price-list-error";
import type { Rates } from "../../catalogue/sync/compare-model";
import type { SyncOptions } from "../../catalogue/sync/sync-model";
import { type PriceSync, syncPrices } from "../../catalogue/sync/sync-prices";
import { readVariables } from "../../env";
import { parseDecimal } from "../../lib/money";
import { runInSlices } from "../../lib/slices";
import type { PriceListsHub } from "./hub";

export interface PriceComparison extends PriceSync {
  rates: Rates;
  /** The entries of the list that the catalogue's routes can use, by `joinPath`. */
  entries: ReadonlyMap<string, Entry>;
}

type Options = Omit<SyncOptions, keyof Rates>;

/**
 * Compares a catalogue with a price list of litellm or models.dev, in JSON. Changes nothing. Throws OperatorError with one
 * sentence for a list that is broken, too large or out of bounds, or has none of the models, and CatalogueError for an
 * invalid catalogue.
 */
export async function comparePrices(
  hub: PriceListsHub,
  catalogue: CatalogueText,
  list: Buffer,
  options: Options,
): Promise<PriceComparison> {
  const parsed = await parse(hub, catalogue);
  const entries = await runInSlices(pickEntries(list, listPaths(parsed)), hub.longWork);
  const rates = { eurPerUsd: parseDecimal(hub.env.EUR_PER_USD), margin: parsed.margin };
  const sync = await hub.longWork(() => syncPrices(parsed, catalogue, entries, { ...options, ...rates }));
  if (sync.models.length === 0)
    throw priceListError(
      "has no prices of the catalogue's models: it must be litellm's model_prices_and_context_window.json or models.dev's " +
        "api.json, and have the upstream models of routes under their provider",
    );
  return { ...sync, rates, entries };
}

/** Returns where lists have the entries that a catalogue's routes can use. */
export const findListPaths = async (hub: PriceListsHub, catalogue: CatalogueText): Promise<EntryPath[]> =>
  listPaths(await parse(hub, catalogue));

const listPaths = ({ models }: ParsedCatalogue): EntryPath[] =>
  models.flatMap(({ pricing, routes }) => (pricing.by === "token" ? routes.flatMap(listEntryPaths) : []));

const parse = (hub: PriceListsHub, { file, text }: CatalogueText): Promise<ParsedCatalogue> =>
  hub.longWork(() => parseCatalogue(text, { file, variables: readVariables(), now: hub.now() }));
