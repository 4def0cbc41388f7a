import { createHash } from "node:crypto";
import { type Ctx, runBodyWork, runSlicedBodyWork } from "../../context";
import { hashInSlices } from "../../lib/canonical";
import { cutText } from "../../lib/cut-text";
import { cutString } from "../../lib/json/write-json";
import { measureJson } from "../../lib/json/measure";
import { INTEGER_MARK } from "../../lib/json/sent-json";
import type { SlicedWork } from "../../lib/slices";
import type { ChatHub } from "./hub";

const MAX_LENGTH = 256 * 1024;
const MAX_TEXT_LENGTH = 400;
const EXCERPT_LENGTH = 200;
const HASHED_LENGTH = 256 * 1024;

type Json = Record<string, unknown>;

/**
 * Returns the input to store for a chat: at most about 256 Ki characters of JSON, so that pages of lists stay small. In a
 * larger body long strings, mostly images, are cut to an excerpt and a digest; if that is not enough, only a digest is
 * stored. Integers that a number cannot represent become strings of their digits.
 */
export async function toStoredInput(ctx: Ctx<ChatHub>, input: Json): Promise<Json> {
  const { sent } = ctx;
  const exact = await runBodyWork(ctx, () =>
    sent?.exact ? (unmarkIntegers(restoreIntegers(input, sent.value, sent.exact)) as Json) : input,
  );
  if (measureJson(exact, MAX_LENGTH) <= MAX_LENGTH) return exact;
  const bytes = sent?.text.length ?? Buffer.byteLength(JSON.stringify(exact));
  return runSlicedBodyWork(ctx, () => truncateInput(exact, bytes));
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

function* truncateInput(input: Json, bytes: number): SlicedWork<Json> {
  const truncated = (yield* truncateTexts(input)) as Json;
  // Listing the keys of a large object alone takes milliseconds, so the work yields after each step.
  yield;
  if (measureJson(truncated, MAX_LENGTH) <= MAX_LENGTH) return truncated;
  yield;
  const digest = yield* hashInSlices(input);
  return { omitted: `[${bytes} bytes, sha256 ${digest.toString("hex")}]` };
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
  for (const name of Object.keys(value)) members[name] = yield* truncateTexts((value as Json)[name]);
  return members;
}

function* truncateText(text: string): SlicedWork<string> {
  const hash = createHash("sha256");
  for (const piece of cutString(text, HASHED_LENGTH)) {
    hash.update(piece);
    yield;
  }
  return `${cutText(text, EXCERPT_LENGTH)}… [${text.length} characters, sha256 ${hash.digest("hex")}]`;
}
