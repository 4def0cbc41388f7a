/** What each generation that has not ended matches exactly one of. Each is the condition of a partial index. */
export const unsettledConditions = [
  "status = 'running'",
  "status = 'queued' AND provider <> 'worker'",
  "status = 'queued' AND provider = 'worker'",
  "status = 'awaiting_supply'",
];

/**
 * Returns SQL that selects these columns of all generations that have not ended: one part for each partial index, because
 * no index has all of them, and a condition on several states reads the whole table.
 */
export const unsettledSql = (columns: string): string =>
  unsettledConditions.map((where) => `SELECT ${columns} FROM public.generation WHERE ${where}`).join(" UNION ALL ");
