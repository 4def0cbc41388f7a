import { v7, validate } from "uuid";

/** Returns a new UUID of version 7, which sorts by time, so that the newest rows are adjacent in every index. */
export const newId = (): string => v7();

/** Returns the lowest possible id of this time. */
export const lowestIdAt = (time: Date): string =>
  v7({ msecs: Math.max(time.getTime(), 0), seq: 0, random: new Uint8Array(16) });

/** Returns whether a text is an id. Callers answer 404 for any other, without a query. */
export const isId = (value: string): boolean => validate(value);
