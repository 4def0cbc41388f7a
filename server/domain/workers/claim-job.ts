import type { Hub } from "../../context";
import { InputUnavailable } from "../../providers/input-unavailable";
import { resolveCharacter } from "../characters/resolve-character";
import { notFetched } from "../files/read-input";
import { outsideInputs } from "../inputs/outside-inputs";
import { findCopies } from "../inputs/input-copy";
import { toUpstreamInput } from "../routing/route-parameters";
import { findFileReferences } from "../supply/file-references";
import { claimJobs, type ClaimRequest } from "./claim-jobs";
import { failJob } from "./fail-job";
import { linkFiles } from "./link-files";
import type { TakenJob } from "./take-job";
import type { Worker } from "./worker";

/** What a worker outside gets to know: its lease, and of the generation only what the work needs. */
export interface Job {
  lease: { id: string; fence: number; expires_at: Date };
  generation: { id: string; model: string; input: Record<string, unknown>; checkpoint: unknown };
}

/** Claims a job for a worker outside. One whose files are gone fails at once, and the next is taken. */
export async function claimJob(hub: Hub, worker: Worker, request: ClaimRequest): Promise<Job | null> {
  for (;;) {
    const taken = await claimJobs(hub, worker, request);
    if (!taken) return null;
    const failure = { fence: taken.fence, gpu_ms: 0 };
    if (request.signal?.aborted) {
      // Nobody is there to take it.
      await failJob(hub, worker, taken.lease_id, { ...failure, ...hungUp });
      return null;
    }
    try {
      return await describe(hub, taken);
    } catch (error) {
      if (!(error instanceof InputUnavailable)) throw error;
      const { message, retryable } = error;
      await failJob(hub, worker, taken.lease_id, { ...failure, code: "input_unavailable", message, retryable });
    }
  }
}

const hungUp = { code: "provider_error", message: "Its worker hung up.", retryable: true };

async function describe(hub: Hub, taken: TakenJob): Promise<Job> {
  const { id, account_id, model, checkpoint, lease_id, fence, lease_expires_at, deadline_at } = taken;
  const offered = hub.catalogue.get(model);
  const route = offered?.routes.find(({ provider }) => provider.kind === "worker");
  const copies = await findCopies(hub, id);
  const outside = offered && outsideInputs(hub, findFileReferences(offered.parametersSchema, taken.input));
  // Accepted by an earlier release, or before the operator made a parameter one for files.
  if (outside?.some((url) => !copies.has(url))) throw notFetched();
  const input = await linkFiles(hub, account_id, await resolveCharacter(hub, taken), deadline_at, copies);
  return {
    lease: { id: lease_id, fence, expires_at: lease_expires_at },
    generation: { id, model, input: route ? toUpstreamInput(route, input) : input, checkpoint },
  };
}
