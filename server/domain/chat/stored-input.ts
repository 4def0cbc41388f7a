import { createHash } from "node:crypto";
import { type Ctx, runSlicedBodyWork } from "../../context";
import { cutString } from "../../lib/canonical";
import { INTEGER_MARK } from "../../lib/json/sent-json";
import type { SlicedWork } from "../../lib/slices";

const MAX_LENGTH = 256 * 1024;
const MAX_TEXT_LENGTH = 400;
const EXCERPT_LENGTH = 200;
const HASHED_LENGTH = 256 * 1024;

type Json = Record<string, unknown>;

/**
 * Returns the input to store for a chat, at most about 256 Ki characters of JSON. In a larger body long strings, mostly
 * images, are cut to an excerpt and a digest, so that list pages stay small; if that is not enough, only a digest is
 * stored. Integers that a number cannot hold are strings of their digits.
 */
export async function toStoredInput(ctx: Ctx, input: Json): Promise<Json> {
  const { sent } = ctx;
  const exact = sent?.exact ? (unmarkIntegers(restoreIntegers(input, sent.value, sent.exact)) as Json) : input;
  if (!ctx.isLarge || measureAtMost(exact, MAX_LENGTH) < MAX_LENGTH) return exact;
  return runSlicedBodyWork(ctx, () => truncateInput(exact));
}

/** Returns the input with the members of `exact` in place of those that came from `rounded`. */
export const restoreIntegers = (input: Json, rounded: Json, exact: Json): Json =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, Object.is(value, rounded[name]) ? exact[name] : value]),
  );

function unmarkIntegers(value: unknown): unknown {
  if (typeof value === "string") return value.startsWith(INTEGER_MARK) ? value.slice(INTEGER_MARK.length) : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(unmarkIntegers);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, unmarkIntegers(member)]));
}

/** Returns about how many characters a value has as JSON, counted no further than `max`. */
function measureAtMost(value: unknown, max: number): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return String(value).length;
  let length = 2;
  for (const [name, member] of Object.entries(value)) {
    length += (Array.isArray(value) ? 0 : name.length + 3) + 1 + measureAtMost(member, max - length);
    if (length >= max) return length;
  }
  return length;
}

function* truncateInput(input: Json): SlicedWork<Json> {
  const truncated = (yield* truncateTexts(input)) as Json;
  if (measureAtMost(truncated, MAX_LENGTH) < MAX_LENGTH) return truncated;
  const hash = createHash("sha256");
  let bytes = 0;
  for (const [name, member] of Object.entries(input)) {
    const json = Buffer.from(JSON.stringify([name, member]));
    hash.update(json);
    bytes += json.length;
    yield;
  }
  return { omitted: `[${bytes} bytes, sha256 ${hash.digest("hex")}]` };
}

function* truncateTexts(value: unknown): SlicedWork<unknown> {
  if (typeof value === "string") return value.length > MAX_TEXT_LENGTH ? yield* truncateText(value) : value;
  if (typeof value !== "object" || value === null) return value;
  yield;
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) items.push(yield* truncateTexts(item));
    return items;
  }
  const members: Json = {};
  for (const [name, member] of Object.entries(value)) members[name] = yield* truncateTexts(member);
  return members;
}

function* truncateText(text: string): SlicedWork<string> {
  const hash = createHash("sha256");
  for (const piece of cutString(text, HASHED_LENGTH)) {
    hash.update(piece);
    yield;
  }
  const excerpt = text.slice(0, EXCERPT_LENGTH).replace(/\p{Surrogate}$/u, "");
  return `${excerpt}… [${text.length} characters, sha256 ${hash.digest("hex")}]`;
}
