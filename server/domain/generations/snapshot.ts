import type { VisibleGeneration } from "./serialize-generation";

const plain = ["id", "model", "is_llm", "status", "input", "error", "provider", "batch_id", "progress"] as const;
const times = ["created_at", "started_at", "completed_at"] as const;
const amounts = ["estimated_cost", "billed_cost"] as const;

/** A generation as it was at one moment, in JSON; amounts as text, because they are exact. */
export type Snapshot = Pick<VisibleGeneration, (typeof plain)[number] | "outputs" | "missing"> &
  Record<(typeof times)[number] | (typeof amounts)[number], string | null>;

/** SQL: the snapshot of a row under `alias`, with expressions for the JSON of its lists. */
export const snapshotSql = (alias: string, lists: Record<"outputs" | "missing", string>): string =>
  `json_build_object(${[
    ...[...plain, ...times].map((name) => `'${name}', ${alias}.${name}`),
    ...amounts.map((name) => `'${name}', ${alias}.${name}::text`),
    ...Object.entries(lists).map(([name, list]) => `'${name}', ${list}`),
  ].join(", ")})`;

/** What customers saw of the generation at that moment. */
export const parseSnapshot = (snapshot: Snapshot): VisibleGeneration => ({
  ...snapshot,
  estimated_cost: BigInt(snapshot.estimated_cost!),
  billed_cost: snapshot.billed_cost === null ? null : BigInt(snapshot.billed_cost),
  created_at: new Date(snapshot.created_at!),
  started_at: dateOrNull(snapshot.started_at),
  completed_at: dateOrNull(snapshot.completed_at),
});

const dateOrNull = (text: string | null) => (text === null ? null : new Date(text));
