import { isObject } from "../lib/is-object";
import type { ReportIssue, Schema } from "./subschemas";
import type { OptionalTokenClass } from "./token-classes";

/** Classes that every provider prices above plain tokens, so each needs a price of its own. */
const DEARER: OptionalTokenClass[] = ["cache_write", "cache_write_long", "audio_input", "audio_output"];

/** Reports prices of tokens that are missing where plain ones would be too low, and lengths out of order. */
export function checkTokenPrices(llm: Schema, report: ReportIssue): void {
  if (llm.implicit_cache_writes === true) checkCacheWrites(llm, "with implicit_cache_writes", report);
  if (llm.cache_write_long_cost_per_million !== undefined && llm.cache_write_cost_per_million === undefined)
    report(["cache_write_cost_per_million"], "is required with cache_write_long_cost_per_million");
  checkLengths(llm, report);
}

/** Reports that writes to a cache have no price although, for this reason, prompts may cause them. */
export function checkCacheWrites(llm: Schema, reason: string, report: ReportIssue): void {
  if (llm.cache_write_cost_per_million === undefined)
    report(["cache_write_cost_per_million"], `is required ${reason}: any prompt may be written to a cache`);
}

/**
 * Reports lengths that are not in ascending order, and lengths without a price for a dearer class that shorter prompts have
 * one for.
 */
export function checkLengths({ long_context: lengths, ...base }: Schema, report: ReportIssue): void {
  let above = 0;
  for (const [index, entry] of (Array.isArray(lengths) ? lengths : []).entries()) {
    if (!isObject(entry)) continue;
    for (const name of DEARER.map((one) => `${one}_cost_per_million`))
      if (base[name] !== undefined && entry[name] === undefined)
        report(["long_context", index, name], "is required, because shorter prompts have this price");
    if (typeof entry.above !== "number") continue;
    if (entry.above <= above) report(["long_context", index, "above"], "must be greater than that of the entry before");
    above = entry.above;
  }
}
