import { int4, notNull, nullable, textOf, timestamptz, uuid } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import { AppError } from "../../errors";
import { isId } from "../../lib/id";
import type { AttemptOutcome } from "../generations/attempts";
import type { Status } from "../generations/row";
import type { WorkersHub } from "./hub";
import type { Worker } from "./worker";

const leaseColumns = {
  generation_id: uuid,
  account_id: int4,
  n: int4,
  outcome: nullable(textOf<AttemptOutcome>()),
  /** The generation's, as are the next two: they describe its newest lease. */
  status: textOf<Status>(),
  fence: int4,
  lease_expires_at: notNull(timestamptz),
};

/** A lease with the state of its generation. */
export type Lease = RowOf<typeof leaseColumns>;

/** Returns the worker's lease. Throws the same 404 `resource_not_found` for a missing, malformed or another worker's id. */
export async function getLease(hub: WorkersHub, { tokenId }: Worker, id: string): Promise<Lease> {
  const rows = isId(id) ? await selectLease(hub.db, id, tokenId) : [];
  if (!rows[0]) throw new AppError("resource_not_found", "There is no such lease of this worker.");
  return rows[0];
}

/** Returns whether a report under `fence` is accepted: the lease is the newest and has neither ended nor expired. */
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
