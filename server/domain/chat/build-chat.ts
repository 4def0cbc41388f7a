import type { Ctx } from "../../context";
import type { Idempotency } from "../generations/replay";
import { newGeneration } from "../generations/intake";
import type { Generation } from "../generations/row";
import type { Estimate } from "../pricing";
import { leaseUntil } from "../generations/run";
import type { ChatHub } from "./hub";
import type { ChatRequest } from "./request";
import { toStoredInput } from "./stored-input";

/** Returns the generation of a chat that starts now. It is inserted as running, because no job engine runs it. */
export async function buildChat(
  ctx: Ctx<ChatHub>,
  { model, input, routes }: ChatRequest,
  { cost, price }: Estimate,
  idempotency: Idempotency | null,
): Promise<Generation> {
  const now = ctx.hub.now();
  return newGeneration(ctx, model, idempotency, {
    status: "running",
    input: await toStoredInput(ctx, input),
    estimated_cost: cost,
    price,
    provider: routes[0]!.provider.kind,
    created_at: now,
    started_at: now,
    deadline_at: leaseUntil(now),
    missing: [],
  });
}
