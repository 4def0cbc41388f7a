import type { Batch } from "../batches/types";
import type { GenerationSummary } from "./types";

/** A page of generations. */
export interface Rows {
  data: GenerationSummary[];
  /** Batches that stand for their generations. */
  batches: Batch[];
}

export const noRows: Rows = { data: [], batches: [] };

type Row = { generation: GenerationSummary; batch?: undefined } | { generation?: undefined; batch: Batch };

/** Returns generations and batches in one list, newest first: their ids sort by time. */
export function mergeRows(generations: GenerationSummary[], batches: Batch[]): Row[] {
  const rows = [...generations.map((generation) => ({ generation })), ...batches.map((batch) => ({ batch }))];
  return rows.sort((one, other) => (idOf(one) < idOf(other) ? 1 : -1));
}

const idOf = ({ generation, batch }: Row): string => (generation ?? batch).id;

/** Returns what polling needs to know of generations and batches. */
export const listRows = ({ data, batches }: Rows) => [
  ...data,
  ...batches.map((batch) => ({ ...batch, is_llm: false })),
];
