import { type Ctx, runBodyWork } from "../../context";
import type { Idempotency } from "../../domain/generations/find-replay";
import { invalidInput } from "../../errors";
import { hashCanonicalJson } from "../../lib/canonical";

const HEADER = "Idempotency-Key";
const LONGEST = 255;

/** The caller's idempotency key with the body's fingerprint; null without one, 400 when this API key must send one. */
export async function readIdempotency(headers: Headers, ctx: Ctx | null, body: unknown): Promise<Idempotency | null> {
  const key = headers.get(HEADER);
  if (key === null) {
    if (ctx?.actor.kind === "key" && ctx.actor.requireIdempotency)
      throw invalidInput(HEADER, "is required for this API key");
    return null;
  }
  if (key.length < 1 || key.length > LONGEST) throw invalidInput(HEADER, `must have 1 to ${LONGEST} characters`);
  return { key, fingerprint: ctx ? await runBodyWork(ctx, () => hashCanonicalJson(body)) : hashCanonicalJson(body) };
}
