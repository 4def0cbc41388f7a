import { v7, validate } from "uuid";

/** Returns a new UUID of version 7, which sorts by time, so that the newest rows are adjacent in every index. */
export const newId = (): string => v7();

/** Returns whether a text is an id. Callers answer 404 for any other, without a query. */
export const isId = (value: string): boolean => validate(value);
