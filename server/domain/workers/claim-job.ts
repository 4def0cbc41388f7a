import { InputUnavailable } from "../../providers/input-unavailable";
import { findFileReferences, findOutsideInputs, resolveCharacter } from "../references";
import { findCopies, type InputCopies, inputNotFetched, linkInput } from "../input-files";
import { toUpstreamInput } from "../routing";
import type { LeasedJob } from "../generations/run";
import type { WorkersHub } from "./hub";
import { waitForJob, type ClaimRequest } from "./wait-for-job";
import { failJob } from "./fail-job";
import type { Worker } from "./worker";

/** What an external worker receives: its lease, and only the fields of the generation that the work needs. */
export interface Job {
  lease: { id: string; fence: number; expires_at: Date };
  generation: { id: string; model: string; input: Record<string, unknown>; checkpoint: unknown };
}

/** Claims a job for an external worker. A job whose files do not exist any more fails at once, and the next is claimed. */
export async function claimJob(hub: WorkersHub, worker: Worker, request: ClaimRequest): Promise<Job | null> {
  for (;;) {
    const job = await waitForJob(hub, worker, request);
    if (!job) return null;
    const failure = { fence: job.fence, gpu_ms: 0 };
    if (request.signal?.aborted) {
      // The worker disconnected while the job was being claimed.
      await failJob(hub, worker, job.lease_id, { ...failure, ...disconnected });
      return null;
    }
    try {
      return await buildJob(hub, job);
    } catch (error) {
      if (!(error instanceof InputUnavailable)) throw error;
      const { message, retryable } = error;
      await failJob(hub, worker, job.lease_id, { ...failure, code: "input_unavailable", message, retryable });
    }
  }
}

const disconnected = { code: "provider_error", message: "The worker disconnected.", retryable: true };

async function buildJob(hub: WorkersHub, job: LeasedJob): Promise<Job> {
  const { id, account_id, model, checkpoint, lease_id, fence, lease_expires_at, deadline_at } = job;
  const catalogueModel = hub.catalogue.get(model);
  const route = catalogueModel?.routes.find(({ provider }) => provider.kind === "worker");
  const copies = await findCopies(hub, id);
  const externalUrls =
    catalogueModel && findOutsideInputs(hub, findFileReferences(catalogueModel.parametersSchema, job.input));
  // The generation was accepted by an earlier release, or before the operator made a parameter a file parameter.
  if (externalUrls?.some((url) => !copies.has(url))) throw inputNotFetched();
  const input = await linkFiles(hub, account_id, await resolveCharacter(hub, job), deadline_at, copies);
  return {
    lease: { id: lease_id, fence, expires_at: lease_expires_at },
    generation: { id, model, input: route ? toUpstreamInput(route, input) : input, checkpoint },
  };
}

/**
 * Returns the input with a signed link, valid until `until`, in place of every reference to a file of the account and every
 * copied external URL. Other strings stay unchanged. Throws InputUnavailable when a file does not exist.
 */
export async function linkFiles<T>(
  hub: WorkersHub,
  accountId: number,
  value: T,
  until: Date,
  copies?: InputCopies,
): Promise<T> {
  const link = async (node: unknown): Promise<unknown> => {
    if (typeof node === "string") return linkInput(hub, accountId, node, until, copies);
    if (Array.isArray(node)) return Promise.all(node.map(link));
    if (typeof node !== "object" || node === null) return node;
    const members = Object.entries(node).map(async ([name, member]) => [name, await link(member)] as const);
    return Object.fromEntries(await Promise.all(members));
  };
  return (await link(value)) as T;
}
