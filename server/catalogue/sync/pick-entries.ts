import { isObject } from "../../lib/is-object";
import type { Span } from "../../lib/json/sent-json";
import type { SlicedWork } from "../../lib/slices";
import { type EntryPath, joinPath } from "./entry-paths";
import { listMembers, notJson } from "./list-members";
import { priceListError } from "./price-list-error";

/** An entry of a price list, as it is written. */
export type Entry = Record<string, unknown>;

/** Larger entries are not prices. Real ones have at most 11,000 characters. */
const MAX_ENTRY_BYTES = 64 * 1024;

/**
 * Returns the entries of a price list in JSON at these paths, by `joinPath`. It reads all others too, so that a list that
 * is broken anywhere is rejected. Throws OperatorError with one sentence. The memory that it takes does not depend on the
 * content of other entries.
 */
export function* pickEntries(text: Buffer, paths: EntryPath[]): SlicedWork<Map<string, Entry>> {
  const wanted = new Set(paths.map(joinPath));
  const found = new Map<string, Entry>();
  const read = (path: EntryPath, span: Span) => {
    const entry = parseEntry(text, span);
    const key = joinPath(path);
    if (wanted.has(key)) found.set(key, entry);
  };
  for (const member of yield* listMembers(text, { start: 0, end: text.length })) {
    yield;
    const parts = yield* listMembers(text, member);
    const models = parts.find(({ name }) => name === "models");
    if (!models) read([member.name], member);
    else
      for (const model of yield* listMembers(text, models)) {
        yield;
        read([member.name, "models", model.name], model);
      }
  }
  return found;
}

function parseEntry(text: Buffer, { start, end }: Span): Entry {
  if (end - start > MAX_ENTRY_BYTES) throw priceListError(`has an entry of more than ${MAX_ENTRY_BYTES} bytes`);
  try {
    const entry: unknown = JSON.parse(text.toString("utf8", start, end));
    if (isObject(entry)) return entry;
  } catch {
    // It is rejected below.
  }
  throw notJson();
}

/**
 * Returns entries as a list in JSON, with only the members that give their prices, so that it can be sent and read again.
 */
export function writeEntries(entries: ReadonlyMap<string, Entry>): string {
  const providers = new Map<string, [string, Entry][]>();
  const list: [string, unknown][] = [];
  for (const [key, entry] of entries) {
    const path = JSON.parse(key) as EntryPath;
    const priced = Object.fromEntries(Object.entries(entry).filter(([name]) => SAYS_PRICE.test(name)));
    if (path.length === 1) list.push([path[0], priced]);
    else providers.set(path[0], [...(providers.get(path[0]) ?? []), [path[2], priced]]);
  }
  for (const [provider, models] of providers) list.push([provider, { models: Object.fromEntries(models) }]);
  return JSON.stringify(Object.fromEntries(list));
}

const SAYS_PRICE = /cost|^litellm_provider$/;
