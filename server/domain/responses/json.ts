import { invalidInput } from "../../errors";
import { isObject } from "../../lib/is-object";

export type Json = Record<string, unknown>;

/** Returns an object of the request. Throws 400 with its path for anything else. */
export function readObject(value: unknown, path: string): Json {
  if (!isObject(value)) throw invalidInput(path, "must be an object");
  return value;
}

/** Returns a list of the request. Throws 400 with its path for anything else, and for more than `max` entries. */
export function readList(value: unknown, path: string, max: number): unknown[] {
  if (!Array.isArray(value)) throw invalidInput(path, "must be a list");
  if (value.length > max) throw invalidInput(path, `must have at most ${max} entries`);
  return value;
}

/** Returns a text of the request. Throws 400 with its path for anything else, and for an empty one. */
export function readText(value: unknown, path: string): string {
  if (typeof value !== "string" || value === "") throw invalidInput(path, "must be a text that is not empty");
  return value;
}

/** Returns the members that have a value. */
export const withoutAbsent = (members: Json): Json =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null));
