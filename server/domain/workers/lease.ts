import type { Hub } from "../../context";
import { AppError } from "../../errors";
import { isId } from "../../lib/id";
import type { AttemptOutcome } from "../generations/attempts";
import type { Status } from "../generations/transitions";
import type { Worker } from "./worker";

/** So long a lease lasts from its last heartbeat. */
export const LEASE_SECONDS = 60;

/** A job that was lost is queued again three times. */
export const MAX_LEASES = 4;

/** A lease with what became of its generation. */
export interface Lease {
  generation_id: string;
  account_id: number;
  n: number;
  outcome: AttemptOutcome | null;
  /** Of the generation, as are the next two: they tell of its newest lease. */
  status: Status;
  fence: number;
  lease_expires_at: Date;
}

/** The worker's own lease; 404 `resource_not_found` for a missing, foreign or malformed id alike. */
export async function getLease(hub: Hub, { tokenId }: Worker, id: string): Promise<Lease> {
  const rows = isId(id) ? await hub.db.query<Lease>(statement, [id, tokenId]) : [];
  if (!rows[0]) throw new AppError("resource_not_found", "There is no such lease of this worker.");
  return rows[0];
}

/** Whether an answer under `fence` still counts: it is the newest lease, and has neither ended nor lapsed. */
export const isLive = (hub: Hub, lease: Lease, fence: number): boolean =>
  isNewest(lease, fence) && lease.status === "running" && lease.lease_expires_at > hub.now();

export const isNewest = (lease: Lease, fence: number): boolean => lease.n === fence && lease.fence === fence;

export const leaseLost = () =>
  new AppError("lease_lost", "This lease has lapsed or ended; nothing was changed. Stop the work and claim anew.");

const statement = `
  SELECT a.generation_id, g.account_id, a.n, a.outcome, g.status, g.fence, g.lease_expires_at
  FROM attempt a JOIN generation g ON g.id = a.generation_id
  WHERE a.lease_id = $1 AND a.worker_token_id IS NOT DISTINCT FROM $2::uuid`;
