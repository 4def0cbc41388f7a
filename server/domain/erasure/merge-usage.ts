import { int4, nullable, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import { mergeUsageValues } from "../usage";
import { isNamedValueSql } from "../usage/sql";
import { cutoffsSql } from "./due-generations";
import type { ErasureHub } from "./hub";

/** How many months one call merges, each of which has up to 10,000 values a day. */
const MAX_MONTHS = 50;

/**
 * Merges the sums of usage by end users and metadata of months in which all generations have lost these: up to 50 months of a
 * label. Returns how many it merged.
 */
export async function mergeErasedUsage(hub: ErasureHub): Promise<number> {
  const { RETENTION_INPUT_DAYS: inputDays, RETENTION_LABEL_DAYS: labelDays } = hub.env;
  const days = { input_days: inputDays ?? null, label_days: labelDays ?? null };
  for (let merged = 0; ; merged += 1) {
    const [due] = merged < MAX_MONTHS ? await selectDueMonth(hub.db, { now: hub.now(), ...days }) : [];
    if (!due) return merged;
    const { account_id: accountId, label_id: labelId, month } = due;
    await hub.db.transaction((tx) => mergeUsageValues(tx, { accountId, labelId, month }));
  }
}

// Labels go with the inputs at the latest. Generations that are settled in a month were created before its end.
const selectDueMonth = statement({
  params: { now: timestamptz, input_days: nullable(int4), label_days: nullable(int4) },
  row: { account_id: int4, label_id: int4, month: timestamptz },
  text: `
    SELECT a.id AS account_id, label.id AS label_id, named.at AS month
    FROM ${cutoffsSql("r.input_days", "r.label_days", ":input_days::int", ":label_days::int")}
    CROSS JOIN LATERAL (SELECT 0 AS id UNION ALL SELECT l.id FROM usage_label l WHERE l.account_id = a.id AND NOT l.is_removed) label
    CROSS JOIN LATERAL (
      SELECT s.at FROM usage_label_sum s
      WHERE s.account_id = a.id AND s.label_id = label.id AND s.grain = 'month'
        AND s.at < date_trunc('month', cutoff.time, 'UTC') AND ${isNamedValueSql("s.value")}
      ORDER BY s.at LIMIT 1
    ) named
    WHERE cutoff.time IS NOT NULL LIMIT 1`,
});
