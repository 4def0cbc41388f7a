import type { VisibleGeneration } from "./serialize-generation";

const plainColumns = ["id", "model", "is_llm", "status", "input", "error", "provider", "batch_id", "progress"] as const;
const timeColumns = ["created_at", "started_at", "completed_at"] as const;
const amountColumns = ["estimated_cost", "billed_cost"] as const;

/** A generation's row at the time of an event, as JSON; amounts are text, because they must be exact. */
export type Snapshot = Pick<VisibleGeneration, (typeof plainColumns)[number] | "outputs" | "missing"> &
  Record<(typeof timeColumns)[number] | (typeof amountColumns)[number], string | null>;

/** SQL: the snapshot of a row under `alias`; `lists` has JSON expressions for its arrays. */
export const snapshotSql = (alias: string, lists: Record<"outputs" | "missing", string>): string =>
  `json_build_object(${[
    ...[...plainColumns, ...timeColumns].map((name) => `'${name}', ${alias}.${name}`),
    ...amountColumns.map((name) => `'${name}', ${alias}.${name}::text`),
    ...Object.entries(lists).map(([name, list]) => `'${name}', ${list}`),
  ].join(", ")})`;

/** Returns the generation as customers saw it at the time of the snapshot. */
export const parseSnapshot = (snapshot: Snapshot): VisibleGeneration => ({
  ...snapshot,
  estimated_cost: BigInt(snapshot.estimated_cost!),
  billed_cost: snapshot.billed_cost === null ? null : BigInt(snapshot.billed_cost),
  created_at: new Date(snapshot.created_at!),
  started_at: dateOrNull(snapshot.started_at),
  completed_at: dateOrNull(snapshot.completed_at),
});

const dateOrNull = (text: string | null) => (text === null ? null : new Date(text));
