import { int8, int8Number, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { BudgetsHub } from "./hub";
import { CLOCK_MARGIN, windowStartSql } from "./window";

/** How long rows with open holds are kept after their window: most of their generations have settled by then. */
const MAX_UNSETTLED = "interval '1 day'";

/**
 * Deletes at most `limit` rows of windows that have ended, with the hashes of their end users. Rows with open holds are deleted
 * a day after the end: a generation that settles later finds nothing to correct.
 */
export const purgeBudgetWindows = async (hub: BudgetsHub, limit: number): Promise<number> =>
  (await deleteWindows(hub.db, hub.now(), limit)).length;

// Rows that a settlement has locked are skipped, so that neither waits for the other.
const deleteWindows = statement({
  params: [timestamptz, int8Number],
  row: { id: int8 },
  text: `
    WITH ended AS MATERIALIZED (
      SELECT s.id FROM budget b CROSS JOIN LATERAL (
        SELECT id FROM budget_spending
        WHERE budget_id = b.id AND revision = b.revision
          AND starts_at < ${windowStartSql('b."window"', `$1::timestamptz - ${CLOCK_MARGIN}`)}
          AND (reserved = 0 OR starts_at < ${windowStartSql('b."window"', `$1::timestamptz - ${MAX_UNSETTLED}`)})
        LIMIT $2 FOR UPDATE SKIP LOCKED
      ) s LIMIT $2
    )
    DELETE FROM budget_spending s USING ended WHERE s.id = ended.id RETURNING s.id`,
});
