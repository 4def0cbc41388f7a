import { createHash } from "node:crypto";

const MOST_BYTES = 256 * 1024;
const LONGEST = 200;

/**
 * What the record keeps of a chat's body: all of it up to 256 KiB. Of a larger one long texts, images above all, are
 * cut to their beginning and their digest, so that pages of the listing stay small; if that is not enough, the digest
 * of the whole.
 */
export function keepInput(input: Record<string, unknown>): Record<string, unknown> {
  const whole = JSON.stringify(input);
  if (whole.length <= MOST_BYTES) return input;
  const cut = JSON.stringify(input, (_name, value: unknown) => (typeof value === "string" ? shorten(value) : value));
  return cut.length <= MOST_BYTES ? (JSON.parse(cut) as Record<string, unknown>) : { omitted: describe(whole) };
}

const shorten = (text: string) =>
  text.length > 2 * LONGEST ? `${text.slice(0, LONGEST).replace(/\p{Surrogate}$/u, "")}… ${describe(text)}` : text;

const describe = (text: string) =>
  `[${text.length} characters, sha256 ${createHash("sha256").update(text).digest("hex")}]`;
