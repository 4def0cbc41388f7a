import { isStorable } from "@/server/lib/json/storable";

/** The query parameters of a page, as its server component receives them. */
export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** Returns the first value of a query parameter; null without one. */
export type ReadSearch = (name: string) => string | null;

export async function createSearchReader(params: SearchParams): Promise<ReadSearch> {
  const values = await params;
  return (name) => toReadable([values[name]].flat()[0]);
}

/** Returns the value of a query parameter; null also for one that no list can be filtered by, with U+0000 or half a character. */
export const toReadable = (value: string | null | undefined): string | null =>
  typeof value === "string" && isStorable(value) ? value : null;
