import { createHash } from "node:crypto";
import type { Generation } from "../row";

const DAY_MS = 86_400_000;
const HASH_BYTES = 12;

type Pair = [key: string, value: string];

/**
 * Returns a pair as the index of words has it: a hash, because a value may be longer than an entry can be. No word contains a
 * `=`.
 */
const scopePair = (accountId: number, [key, value]: Pair): string => {
  const hash = createHash("sha256").update(`${key}=${value}`).digest().subarray(0, HASH_BYTES).toString("base64url");
  return `${accountId}=${hash}`;
};

/** Returns the words by which a generation is found by its metadata: each pair, then the day of its creation in UTC. */
export function toLabelWords({
  account_id,
  metadata,
  created_at,
}: Pick<Generation, "account_id" | "metadata" | "created_at">): string[] {
  if (!metadata) return [];
  const day = Math.floor(created_at.getTime() / DAY_MS);
  return Object.entries(metadata).map((pair) => `${scopePair(account_id, pair)}:${day}`);
}

/** Returns SQL for whether a word is of a pair. */
export const isLabelWordSql = (word: string): string => `${word} ~ '^[0-9]+='`;

/** Stands in a query for the day of a generation, or for nothing if the day does not matter. No hash or word contains it. */
export const DAY = "@";

/** Returns the term of a `tsquery` for a pair on the day `DAY`. */
export const toLabelQuery = (accountId: number, pair: Pair): string => `'${scopePair(accountId, pair)}:${DAY}':*`;
