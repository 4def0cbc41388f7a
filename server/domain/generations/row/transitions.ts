export type Status = "queued" | "running" | "succeeded" | "failed" | "canceled" | "awaiting_supply";
export type FinalStatus = "succeeded" | "failed" | "canceled";

/**
 * The allowed status transitions (specification, section 3). Only a generation whose worker lost its lease returns to
 * `queued`. The database enforces the same transitions with the trigger `check_generation_transition`.
 */
export const transitions: Record<Status, readonly Status[]> = {
  awaiting_supply: ["queued", "failed", "canceled"],
  queued: ["running", "failed", "canceled"],
  running: ["queued", "succeeded", "failed", "canceled"],
  succeeded: [],
  failed: [],
  canceled: [],
};

export const statuses = Object.keys(transitions) as Status[];

export const isFinal = (status: Status): status is FinalStatus => transitions[status].length === 0;

/** The conditions of partial indexes: each generation that has not ended meets exactly one of them. */
const unsettledConditions = [
  "status = 'running'",
  "status = 'queued' AND provider <> 'worker'",
  "status = 'queued' AND provider = 'worker'",
  "status = 'awaiting_supply'",
];

/**
 * Returns SQL that selects these columns of all generations that have not ended: one part for each partial index, because
 * no index has all of them, and a condition on several states reads the whole table.
 */
export const selectUnsettledSql = (columns: string): string =>
  unsettledConditions.map((where) => `SELECT ${columns} FROM public.generation WHERE ${where}`).join(" UNION ALL ");
