import { createHash } from "node:crypto";
import { type Ctx, runBodyWork } from "../../context";
import type { Idempotency } from "../generations/replay";
import { newGeneration } from "../generations/new-generation";
import type { Generation } from "../generations/generation";
import type { Estimate } from "../pricing/estimate";
import { leaseUntil } from "../generations/chat-lease";
import type { ChatRequest } from "./request";

/** Returns the generation of a chat that starts now. It is inserted as running, because no job engine runs it. */
export async function buildChat(
  ctx: Ctx,
  { model, input, routes }: ChatRequest,
  { cost, price }: Estimate,
  idempotency: Idempotency | null,
): Promise<Generation> {
  const now = ctx.hub.now();
  return newGeneration(ctx, model, idempotency, {
    status: "running",
    input: await truncateInput(ctx, input),
    estimated_cost: cost,
    price,
    provider: routes[0]!.provider.kind,
    created_at: now,
    started_at: now,
    deadline_at: leaseUntil(now),
    missing: [],
  });
}

const MAX_LENGTH = 256 * 1024;
const MAX_TEXT_LENGTH = 400;
const EXCERPT_LENGTH = 200;

/**
 * Returns the input to store for a chat, at most 256 Ki characters of JSON. In a larger body long strings, mostly
 * images, are cut to an excerpt and a digest, so that list pages stay small; if that is not enough, only a digest is
 * stored.
 */
export async function truncateInput(ctx: Ctx, input: Record<string, unknown>): Promise<Record<string, unknown>> {
  const json = await ctx.hub.json.stringify(input, { isLarge: Boolean(ctx.isLarge) });
  if (json.length <= MAX_LENGTH) return input;
  const truncated = await runBodyWork(ctx, () => JSON.stringify(input, truncateText));
  if (truncated.length <= MAX_LENGTH) return JSON.parse(truncated) as Record<string, unknown>;
  return { omitted: `[${Buffer.byteLength(json)} bytes, ${hash(json)}]` };
}

const truncateText = (_name: string, value: unknown) =>
  typeof value === "string" && value.length > MAX_TEXT_LENGTH
    ? `${value.slice(0, EXCERPT_LENGTH).replace(/\p{Surrogate}$/u, "")}… [${value.length} characters, ${hash(value)}]`
    : value;

const hash = (content: string | Uint8Array) => `sha256 ${createHash("sha256").update(content).digest("hex")}`;
