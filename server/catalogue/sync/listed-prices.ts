import type { Route } from "../model";
import type { TokenPriceList } from "../pricing";
import { findMaker, joinPath, listEntryPaths } from "./entry-paths";
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
    const [first, , model] = path;
    const entry = entries.get(joinPath(path));
    if (!entry) continue;
    const name = model === undefined ? first : `${first}/${model}`;
    const prices = model === undefined ? readOwnEntry(entry, name, litellm) : readModelsDev(entry, name);
    if (!prices) continue;
    const longContext = litellm === "xai" ? prices.longContext.map(includeLimit) : prices.longContext;
    return { ...prices, longContext, source: `${name} (${model === undefined ? "litellm" : "models.dev"})` };
  }
  return null;
}

/** An entry without the maker in its name may be of another provider, which hosts the same model at its own price. */
const readOwnEntry = (entry: Entry, name: string, maker: string): TokenPriceList | null =>
  name.startsWith(`${maker}/`) || entry.litellm_provider === maker ? readLitellm(entry, name) : null;

/** xAI charges more from the listed length on, others only above it. */
const includeLimit = ({ above, ...prices }: TokenPriceList["longContext"][number]) => ({ above: above - 1, ...prices });
