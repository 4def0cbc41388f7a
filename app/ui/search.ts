import { isStorable } from "@/server/lib/json/storable";

/** The query parameters of a page, as its server component receives them. */
export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** Returns the first value of a query parameter; null without one. */
export type ReadSearch = (name: string) => string | null;

export async function createSearchReader(params: SearchParams): Promise<ReadSearch> {
  const values = await params;
  return (name) => toReadable([values[name]].flat()[0]);
}

/** Returns the value of a query parameter; null if it is missing or cannot be stored, as with U+0000 or half a character. */
export const toReadable = (value: string | null | undefined): string | null =>
  typeof value === "string" && isStorable(value) ? value : null;

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Returns a query parameter that is a day (YYYY-MM-DD); undefined for any other value. */
export function readDayParam(read: ReadSearch, name: string): string | undefined {
  const text = read(name) ?? "";
  return DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
}

/** Returns the first `maxLength` characters of a query parameter; undefined if it is blank. */
export const readTextParam = (read: ReadSearch, name: string, maxLength = 200): string | undefined =>
  read(name)?.trim().slice(0, maxLength) || undefined;
