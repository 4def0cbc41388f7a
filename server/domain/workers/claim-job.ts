import { InputUnavailable } from "../../providers/input-unavailable";
import { findFileReferences, findOutsideInputs, resolveCharacter } from "../references";
import { findCopies, type InputCopies, inputNotFetched, linkInput } from "../input-files";
import { toUpstreamInput } from "../routing";
import { type LeasedJob, leaseNextJob, requeueExpiredLeases } from "../generations/run";
import { failJob } from "./fail-job";
import type { WorkersHub } from "./hub";
import { reportPresence } from "./presence";
import type { Worker } from "./worker";

/** What an external worker receives: its lease, and only the fields of the generation that it needs for the work. */
export interface Job {
  lease: { id: string; fence: number; expires_at: Date };
  generation: { id: string; model: string; input: Record<string, unknown>; checkpoint: unknown };
}

/**
 * Claims a job for an external worker, as `waitForJob` does. A job whose files no longer exist fails at once, and the next one
 * is claimed.
 */
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

interface ClaimRequest {
  models: string[];
  waitMs?: number;
  /** Aborts when the worker disconnects. */
  signal?: AbortSignal;
}

/** Leases the next job of these models, and waits up to `waitMs` for one. Returns null when there is none by then. */
export async function waitForJob(
  hub: WorkersHub,
  worker: Worker,
  { models, waitMs = 0, signal }: ClaimRequest,
): Promise<LeasedJob | null> {
  reportPresence(hub, worker, models);
  // Joined before the first query, so that no notification is missed between the two.
  const ticket = hub.services.jobWaiters.join(models);
  const until = performance.now() + waitMs;
  let job: LeasedJob | null = null;
  try {
    do job = (await leaseNextJob(hub, worker, models)) ?? (await leaseExpiredJob(hub, worker, models));
    while (!job && (await ticket.wait(until - performance.now(), signal)));
    return job;
  } finally {
    ticket.leave(job !== null);
  }
}

/** Leases a job whose previous lease has just expired; null when there is none. */
const leaseExpiredJob = async (hub: WorkersHub, worker: Worker, models: string[]): Promise<LeasedJob | null> =>
  (await requeueExpiredLeases(hub)) > 0 ? leaseNextJob(hub, worker, models) : null;

async function buildJob(hub: WorkersHub, job: LeasedJob): Promise<Job> {
  const { id, account_id, model, checkpoint, lease_id, fence, lease_expires_at, deadline_at } = job;
  const catalogueModel = hub.catalogue.get(model);
  const route = catalogueModel?.routes.find(({ provider }) => provider.kind === "worker");
  const copies = await findCopies(hub, id);
  const externalUrls =
    catalogueModel && findOutsideInputs(hub, findFileReferences(catalogueModel.parametersSchema, job.input));
  // An external URL has no copy if an earlier release accepted the generation, or its parameter took no files at that time.
  if (externalUrls?.some((url) => !copies.has(url))) throw inputNotFetched();
  const input = await linkFiles(hub, account_id, await resolveCharacter(hub, job), deadline_at, copies);
  return {
    lease: { id: lease_id, fence, expires_at: lease_expires_at },
    generation: { id, model, input: route ? toUpstreamInput(route, input) : input, checkpoint },
  };
}

/**
 * Returns the input with a signed link, valid until `until`, in place of each reference to a file of the account and each
 * external URL that was copied. Throws InputUnavailable when a file does not exist.
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
