import type { Ctx } from "../../context";
import { newId } from "../../lib/id";
import type { Idempotency } from "../generations/find-replay";
import type { Generation } from "../generations/generation";
import type { Estimate } from "../pricing/estimate";
import { leaseUntil } from "./renew-leases";
import { truncateInput } from "./truncate-input";
import type { ChatRequest } from "./request";

/** Returns the generation of a chat that starts now. It is inserted as running, because no job engine runs it. */
export async function buildChat(
  ctx: Ctx,
  { model, input, routes }: ChatRequest,
  { cost, price }: Estimate,
  idempotency: Idempotency | null,
): Promise<Generation> {
  const now = ctx.hub.now();
  return {
    id: newId(),
    account_id: ctx.account.id,
    key_id: ctx.actor.kind === "key" ? ctx.actor.id : null,
    model: model.id,
    is_llm: true,
    status: "running",
    input: await truncateInput(ctx, input),
    estimated_cost: cost,
    billed_cost: null,
    price,
    provider: routes[0]!.provider.kind,
    batch_id: null,
    idempotency_key: idempotency?.key ?? null,
    fingerprint: idempotency?.fingerprint ?? null,
    progress: null,
    error: null,
    run_id: null,
    timeout_seconds: model.timeoutSeconds,
    created_at: now,
    started_at: now,
    deadline_at: leaseUntil(now),
    completed_at: null,
    outputs: [],
    missing: [],
  };
}
