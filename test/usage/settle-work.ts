import { expect } from "vitest";
import { finishGeneration } from "../../server/domain/generations/end/finish";
import { insertWithHold } from "../../server/domain/generations/intake/insert-with-hold";
import { markRunning } from "../../server/domain/generations/run/mark-running";
import { newId } from "../../server/lib/id";
import type { Customer } from "../api/customer";
import { queuedGeneration } from "../generation-fixture";
import type { TestHub } from "../hub";

interface Work {
  to?: "succeeded" | "failed" | "canceled";
  keyId?: string;
  model?: string;
  endUser?: string;
  metadata?: Record<string, string>;
}

/** Returns functions that create and settle generations of this cost, as the engine would. */
export function settleWork(hub: TestHub, cost: bigint) {
  /** Creates a generation and returns a function that settles it. */
  async function start({ account }: Customer, work: Work = {}) {
    const { to = "succeeded", keyId = null, model = "sandbox-image", endUser = null, metadata = null } = work;
    const generation = {
      ...queuedGeneration(account, cost),
      key_id: keyId,
      model,
      end_user: endUser,
      metadata,
      created_at: hub.now(),
    };
    expect(await insertWithHold(hub, generation)).toBe("accepted");
    return async () => {
      if (to !== "canceled") await markRunning(hub, { generationId: generation.id, runId: newId() });
      const error =
        to === "failed" ? { code: "provider_error" as const, message: "It failed.", retryable: true } : undefined;
      await finishGeneration(hub, { id: generation.id, from: [to === "canceled" ? "queued" : "running"], to, error });
    };
  }
  const settle = async (customer: Customer, work: Work = {}) => (await start(customer, work))();
  return { start, settle };
}
