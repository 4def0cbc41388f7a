import type { Route } from "../model";
import type { TokenPriceList } from "../pricing";
import { type EntryPath, findMaker, joinPath, listEntryPaths } from "./entry-paths";
import { readLitellm } from "./litellm";
import { readModelsDev } from "./models-dev";
import type { Entry } from "./pick-entries";

/** What a list says that a provider charges, in USD. */
export interface ListedPrices extends TokenPriceList {
  /** The entry and the format of the list, such as `xai/grok-4.7 (litellm)`. */
  source: string;
}

/**
 * Returns the prices of a route's upstream model among the entries of a list; null if it has none. Throws OperatorError for a
 * price that is out of bounds.
 */
export function findListedPrices(route: Route, entries: ReadonlyMap<string, Entry>): ListedPrices | null {
  const { litellm } = findMaker(route);
  for (const path of listEntryPaths(route)) {
    const entry = entries.get(joinPath(path));
    const prices = entry && readEntry(entry, path, litellm);
    if (!prices) continue;
    const source = path.length === 1 ? `${path[0]} (litellm)` : `${path[0]}/${path[2]} (models.dev)`;
    const longContext = litellm === "xai" ? prices.longContext.map(includeLimit) : prices.longContext;
    return { ...prices, longContext, source };
  }
  return null;
}

function readEntry(entry: Entry, path: EntryPath, maker: string): TokenPriceList | null {
  if (path.length > 1) return readModelsDev(entry);
  // Without the maker in its name, an entry may be another one's: each hosts the models of others at prices of its own.
  return path[0].startsWith(`${maker}/`) || entry.litellm_provider === maker ? readLitellm(entry) : null;
}

/** xAI charges more from the length on that the lists name, others above it. */
const includeLimit = ({ above, ...prices }: TokenPriceList["longContext"][number]) => ({ above: above - 1, ...prices });
