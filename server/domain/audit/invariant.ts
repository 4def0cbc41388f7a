/**
 * An invariant and the SQL that returns its violations, recomputed from primary data: `subject` is the row, `message` the
 * values. The SQL reads the tables and sums of a scope (`scope.ts`).
 */
export interface Invariant {
  name: string;
  sql: string;
}

/** Returns SQL that converts nano-euros to EUR. */
export const eurosSql = (nano: string) => `(${nano}) / 1e9`;
