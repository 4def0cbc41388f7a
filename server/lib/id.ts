import { v7, validate } from "uuid";

/** A new UUID (version 7): sorts by time, so the newest rows sit together in every index. */
export const newId = (): string => v7();

/** A malformed id is an unknown id, so callers answer 404 and never ask the database. */
export const isId = (value: string): boolean => validate(value);
