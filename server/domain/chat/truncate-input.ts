import { createHash } from "node:crypto";
import { type Ctx, withPace } from "../../context";

const MAX_LENGTH = 256 * 1024;
const MAX_TEXT_LENGTH = 400;
const SHOWN_LENGTH = 200;

/**
 * Returns what the record keeps of a chat's body: all of it up to 256 KiB. Of a larger one long texts, images above all,
 * are cut to their beginning and their digest, so that pages of the listing stay small; if that is not enough, the
 * digest of the whole.
 */
export async function truncateInput(ctx: Ctx, input: Record<string, unknown>): Promise<Record<string, unknown>> {
  const whole = await ctx.json.stringify(input, { isLarge: Boolean(ctx.isLarge) });
  if (whole.length <= MAX_LENGTH) return input;
  const cut = await withPace(ctx, () => JSON.stringify(input, cutText));
  if (cut.length <= MAX_LENGTH) return JSON.parse(cut) as Record<string, unknown>;
  return { omitted: `[${Buffer.byteLength(whole)} bytes, ${hash(whole)}]` };
}

const cutText = (_name: string, value: unknown) =>
  typeof value === "string" && value.length > MAX_TEXT_LENGTH
    ? `${value.slice(0, SHOWN_LENGTH).replace(/\p{Surrogate}$/u, "")}… [${value.length} characters, ${hash(value)}]`
    : value;

const hash = (content: string | Uint8Array) => `sha256 ${createHash("sha256").update(content).digest("hex")}`;
