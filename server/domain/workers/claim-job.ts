import type { Hub } from "../../context";
import { InputUnavailable } from "../../providers/input-unavailable";
import { bringCharacter } from "../characters/bring-character";
import { express } from "../routing/express";
import { claim, type ClaimRequest } from "./claim";
import { fail } from "./fail";
import { linkFiles } from "./link-files";
import type { Taken } from "./take";
import type { Worker } from "./worker";

/** What a worker outside gets to know: its lease, and of the generation only what the work needs. */
export interface Job {
  lease: { id: string; fence: number; expires_at: Date };
  generation: { id: string; model: string; input: Record<string, unknown>; checkpoint: unknown };
}

/** Claims a job for a worker outside. One whose files are gone fails at once, and the next is taken. */
export async function claimJob(hub: Hub, worker: Worker, request: ClaimRequest): Promise<Job | null> {
  for (;;) {
    const taken = await claim(hub, worker, request);
    if (!taken) return null;
    const failure = { fence: taken.fence, gpu_ms: 0 };
    if (request.signal?.aborted) {
      // Nobody is there to take it.
      await fail(hub, worker, taken.lease_id, { ...failure, ...hungUp });
      return null;
    }
    try {
      return await describe(hub, taken);
    } catch (error) {
      if (!(error instanceof InputUnavailable)) throw error;
      const { message, retryable } = error;
      await fail(hub, worker, taken.lease_id, { ...failure, code: "input_unavailable", message, retryable });
    }
  }
}

const hungUp = { code: "provider_error", message: "Its worker hung up.", retryable: true };

async function describe(hub: Hub, taken: Taken): Promise<Job> {
  const { id, account_id, model, checkpoint, lease_id, fence, lease_expires_at, deadline_at } = taken;
  const route = hub.catalogue.get(model)?.routes.find(({ provider }) => provider.kind === "worker");
  const input = await linkFiles(hub, account_id, await bringCharacter(hub, taken), deadline_at);
  return {
    lease: { id: lease_id, fence, expires_at: lease_expires_at },
    generation: { id, model, input: route ? express(route, input) : input, checkpoint },
  };
}
