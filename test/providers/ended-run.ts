import type { TestHub } from "../hub";

/** What each account of the tests gets, in nano-euros. */
export const CREDIT = 1_000_000_000_000n;

/** A generation after its end, with its attempts and the money of its account, in nano-euros. */
export interface EndedRun {
  id: string;
  status: string;
  error: { code: string; message: string; retryable: boolean } | null;
  estimate: bigint;
  billed: bigint | null;
  attempts: { n: number; route: string; outcome: string; cause: string | null; cost: bigint | null }[];
  outputs: { media_type: string; size: bigint }[];
  spent: bigint;
  reserved: bigint;
}

/** Returns a generation as it is now. */
export async function readEnd(hub: TestHub, id: string): Promise<EndedRun> {
  const [end] = await hub.db.query<Omit<EndedRun, "attempts" | "outputs">>(
    `SELECT g.id, g.status, g.error, g.estimated_cost AS estimate, g.billed_cost AS billed, $2 - a.balance AS spent, a.reserved
     FROM generation g JOIN account a ON a.id = g.account_id WHERE g.id = $1`,
    [id, CREDIT],
  );
  const attempts = await hub.db.query<EndedRun["attempts"][number]>(
    "SELECT n, route, outcome, cause, cost FROM attempt WHERE generation_id = $1 ORDER BY n",
    [id],
  );
  const outputs = await hub.db.query<EndedRun["outputs"][number]>(
    "SELECT media_type, size FROM file WHERE generation_id = $1 AND stored_at IS NOT NULL ORDER BY index",
    [id],
  );
  return { ...end!, attempts, outputs };
}
