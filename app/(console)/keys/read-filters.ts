import type { ReadSearch } from "../../ui/search";
import type { Key } from "./types";

/** The orders of the list, with their names. */
export const sortWords = { newest: "Newest", name: "Name", spent: "Most spent", used: "Last used" };

type Sort = keyof typeof sortWords;

const isSort = (text: string): text is Sort => Object.hasOwn(sortWords, text);

/** Returns the search and the order of the list in the URL. */
export function readFilters(read: ReadSearch) {
  const sort = read("sort") ?? "";
  return { q: read("q") ?? "", sort: isSort(sort) ? sort : "newest", isRevoked: read("status") === "revoked" };
}

const compare: Record<Sort, (a: Key, b: Key) => number> = {
  newest: (a, b) => b.created_at.localeCompare(a.created_at),
  name: (a, b) => a.name.localeCompare(b.name, "en"),
  spent: (a, b) => b.spent - a.spent,
  used: (a, b) => (b.last_used_at ?? "").localeCompare(a.last_used_at ?? ""),
};

/** Returns the keys whose name, prefix or id has the text, in this order. */
export function findKeys(keys: Key[], { q, sort, isRevoked }: ReturnType<typeof readFilters>): Key[] {
  const text = q.toLowerCase();
  return keys
    .filter((key) => (key.revoked_at !== null) === isRevoked)
    .filter(({ name, prefix, id }) => [name, prefix, id].some((part) => part.toLowerCase().includes(text)))
    .sort(compare[sort]);
}
