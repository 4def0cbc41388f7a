import type { ReadSearch } from "../../../ui/search";

/** Returns the filters of the audit log that a URL has. */
export function readFilters(read: ReadSearch) {
  const readOne = (name: string) => read(name)?.trim().slice(0, 300) || undefined;
  return { action: readOne("action"), operator: readOne("operator"), target: readOne("target") };
}
