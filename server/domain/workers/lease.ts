import { int4, notNull, nullable, textOf, timestamptz, uuid } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import { AppError } from "../../errors";
import { isId } from "../../lib/id";
import { toReal } from "../../lib/to-real";
import type { OutputContent } from "../../providers/job";
import { storeOutput } from "../files";
import type { AttemptOutcome } from "../generations/attempts";
import { reportChange } from "../generations/changes";
import { reportLive } from "../generations/live";
import type { Status } from "../generations/row";
import { pullBackTimes, renewLease } from "../generations/run";
import type { WorkersHub } from "./hub";
import type { Worker } from "./worker";

const leaseColumns = {
  generation_id: uuid,
  account_id: int4,
  n: int4,
  outcome: nullable(textOf<AttemptOutcome>()),
  // Of the generation; they describe its newest lease.
  status: textOf<Status>(),
  fence: int4,
  lease_expires_at: notNull(timestamptz),
};

/** The 60 seconds of a lease, and the ten by which the clocks of processes may differ. If it has more left, the clock was set back. */
const MAX_LEFT_MS = 70_000;

/** A lease with the state of its generation. */
type Lease = RowOf<typeof leaseColumns>;

/** Returns a lease of the worker. Throws 404 `resource_not_found` for a missing, a malformed and another worker's id alike. */
export async function getLease(hub: WorkersHub, { tokenId }: Worker, id: string): Promise<Lease> {
  const [lease] = isId(id) ? await selectLease(hub.db, id, tokenId) : [];
  if (!lease) throw new AppError("resource_not_found", "There is no such lease of this worker.");
  // Before this report changes the end of the lease, which shows when the last one came, and with it the GPU time until then.
  if (isLive(hub, lease, lease.n) && lease.lease_expires_at.getTime() - hub.now().getTime() > MAX_LEFT_MS)
    await pullBackTimes(hub);
  return lease;
}

/** Returns whether reports under `fence` are accepted: the lease is the newest, and has neither ended nor expired. */
export const isLive = (hub: WorkersHub, lease: Lease, fence: number): boolean =>
  isNewest(lease, fence) && lease.status === "running" && lease.lease_expires_at > hub.now();

/** Returns whether the lease is its generation's newest, and `fence` is its fence. */
export const isNewest = (lease: Lease, fence: number): boolean => lease.n === fence && lease.fence === fence;

/** Returns the 409 for a lease that has expired or ended. */
export const leaseLost = () =>
  new AppError(
    "lease_lost",
    "This lease has expired or ended; nothing was changed. Stop the work and claim a new job.",
  );

const selectLease = statement({
  params: [uuid, nullable(uuid)],
  row: leaseColumns,
  text: `
    SELECT a.generation_id, g.account_id, a.n, a.outcome, g.status, g.fence, g.lease_expires_at
    FROM attempt a JOIN generation g ON g.id = a.generation_id
    WHERE a.lease_id = $1 AND a.worker_token_id IS NOT DISTINCT FROM $2::uuid`,
});

interface Report {
  fence: number;
  /** 0 to 1. The stored progress never decreases, and stays below 1 until the job is completed. */
  progress?: number;
  /** GPU time under this lease, in milliseconds. */
  gpu_ms?: number;
  /** State from which the next worker can continue if this one is lost. */
  checkpoint?: unknown;
  /** Lines for the customer, oldest first. */
  log?: string[];
  /** A picture of the work so far. */
  preview?: Buffer;
}

/**
 * Renews a lease and stores its worker's report. Returns when the lease expires, and whether the customer has canceled the job.
 * Throws a 409 `lease_lost` when the lease has expired or ended otherwise.
 */
export async function recordHeartbeat(
  hub: WorkersHub,
  worker: Worker,
  leaseId: string,
  report: Report,
): Promise<{ cancel: boolean; expires_at: Date }> {
  const { generation_id, n } = await getLease(hub, worker, leaseId);
  const { fence, gpu_ms = null, checkpoint = null, preview } = report;
  const progress = toReal(report.progress);
  const checkpointJson = checkpoint === null ? null : JSON.stringify(checkpoint);
  const [renewed] = await renewLease(hub.db, generation_id, fence, hub.now(), progress, gpu_ms, checkpointJson, n);
  if (renewed) {
    if (progress !== null) reportChange(hub, generation_id);
    const lines = report.log?.map((line) => ({ text: line }));
    await reportLive(hub, { generationId: generation_id, attempt: fence, runId: null }, { lines, preview });
    return { cancel: false, expires_at: renewed.lease_expires_at };
  }
  const current = await getLease(hub, worker, leaseId);
  if (current.status !== "canceled" || !isNewest(current, fence)) throw leaseLost();
  return { cancel: true, expires_at: current.lease_expires_at };
}

/**
 * Stores an output of a lease and returns its size in bytes. It becomes visible when the lease is completed. Throws a 409
 * `lease_lost` when the lease is not live.
 */
export async function putOutput(
  hub: WorkersHub,
  worker: Worker,
  leaseId: string,
  position: { fence: number; index: number },
  output: OutputContent,
): Promise<number> {
  const lease = await getLease(hub, worker, leaseId);
  if (!isLive(hub, lease, position.fence)) throw leaseLost();
  const size = await storeOutput(
    hub,
    { generationId: lease.generation_id, accountId: lease.account_id, ...position },
    output,
  );
  // The lease may have expired during the upload.
  if (size === null || !isLive(hub, await getLease(hub, worker, leaseId), position.fence)) throw leaseLost();
  reportChange(hub, lease.generation_id);
  return size;
}
