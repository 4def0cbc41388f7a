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

/** Returns whether a member is given: some clients send null for those that they do not use. */
export const isPresent = (value: unknown): boolean => value !== undefined && value !== null;

/** Returns the members that have a value. */
export function withoutAbsent(members: Json): Json {
  const present: Json = {};
  for (const name of Object.keys(members)) if (isPresent(members[name])) present[name] = members[name];
  return present;
}
