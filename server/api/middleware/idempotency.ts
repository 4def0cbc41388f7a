import type { Idempotency } from "../../domain/generations/replay";
import { type Ctx, runSlicedBodyWork } from "../../context";
import type { Hub } from "../../domain/hub";
import { invalidInput } from "../../errors";
import { hashCanonicalJson, hashInSlices } from "../../lib/canonical";

const HEADER = "Idempotency-Key";
const MAX_KEY_LENGTH = 255;

/** Returns the Idempotency-Key with the fingerprint of the body, or null. Throws 400 if this API key requires one. */
export async function readIdempotency(
  headers: Headers,
  ctx: Ctx<Hub> | null,
  body: unknown,
): Promise<Idempotency | null> {
  const key = headers.get(HEADER);
  if (key === null) {
    if (ctx?.actor.kind === "key" && ctx.actor.requireIdempotency)
      throw invalidInput(HEADER, "is required for this API key");
    return null;
  }
  if (key.length < 1 || key.length > MAX_KEY_LENGTH)
    throw invalidInput(HEADER, `must have 1 to ${MAX_KEY_LENGTH} characters`);
  const fingerprint = ctx?.isLarge ? await runSlicedBodyWork(ctx, () => hashInSlices(body)) : hashCanonicalJson(body);
  return { key, fingerprint };
}
