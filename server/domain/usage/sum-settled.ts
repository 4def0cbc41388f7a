import { int4, int8, int8Number, notNull, nullable } from "../../db/column-types";
import { statement } from "../../db/statement";
import { END_USERS, OTHER } from "./label";
import { addSumsSql, addUpSql, hasDaySql, settledRowsSql, sumColumnsSql, truncateSql } from "./usage-sql";

/** How many values of a label have sums of their own on a day; the others of that day are summed up as one. */
const MAX_VALUES = 10_000;

/**
 * Adds the next settlements of an account to its sums: up to `limit` charges after the entry `after`, whose ids are in the
 * order of their commits, because a settlement locks its account; and up to `limit` settlements without a charge. Returns
 * the size of the larger of the two parts, and the last entry.
 */
export const sumSettled = statement({
  params: { account: int4, after: int8, limit: int8Number },
  row: { count: notNull(int8), last_entry_id: nullable(int8) },
  isLong: true,
  shownIn: "server/domain/usage/sum-settled.sql",
  text: `
    WITH charge AS MATERIALIZED (
      SELECT id, generation_id, created_at, -amount AS billed FROM ledger_entry
      WHERE account_id = :account AND id > :after AND kind = 'charge' ORDER BY account_id, id LIMIT :limit
    ),
    uncharged AS (
      UPDATE uncharged_settlement SET is_summed = true
      WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM uncharged_settlement WHERE account_id = :account AND NOT is_summed LIMIT :limit))
      RETURNING generation_id, settled_at
    ),
    settled AS MATERIALIZED (
      SELECT :account AS account_id, generation_id, created_at AS at, billed FROM charge
      UNION ALL
      SELECT :account, generation_id, settled_at, 0 FROM uncharged
    ),
    settled_row AS MATERIALIZED (${settledRowsSql}),
    -- By hour, day and month, by model and key.
    total AS (
      INSERT INTO usage_sum (account_id, grain, at, model, key_id, ${sumColumnsSql})
      SELECT r.account_id, grain, ${truncateSql("grain", "r.at")}, r.model, r.key_id, ${addUpSql("r")}
      FROM settled_row r CROSS JOIN (VALUES ('hour'), ('day'), ('month')) AS grains (grain)
      GROUP BY 1, 2, 3, 4, 5
      ON CONFLICT (account_id, grain, at, model, key_id) DO UPDATE SET ${addSumsSql("usage_sum")}
    ),
    -- The end user and the named metadata of each row.
    labelled AS MATERIALIZED (
      SELECT r.*, label.id AS label_id, label.value, ${truncateSql("'day'", "r.at")} AS day
      FROM settled_row r CROSS JOIN LATERAL (
        SELECT ${END_USERS} AS id, r.end_user AS value
        UNION ALL
        SELECT l.id, r.metadata ->> l.name FROM usage_label l
        WHERE l.account_id = :account AND NOT l.is_removed AND r.at >= l.since
      ) label
      WHERE label.value IS NOT NULL
    ),
    value_sum AS (
      SELECT r.label_id, r.day, r.value, ${addUpSql("r")} FROM labelled r GROUP BY r.label_id, r.day, r.value
    ),
    known AS MATERIALIZED (
      SELECT label_id, day, (SELECT count(*) FROM usage_label_sum s
                             WHERE s.account_id = :account AND s.label_id = d.label_id AND s.grain = 'day' AND s.at = d.day
                               AND s.value <> '${OTHER}') AS count
      FROM (SELECT DISTINCT label_id, day FROM labelled) d
    ),
    -- The values that their day does not have come in the order in which they still fit.
    placed AS (
      SELECT v.*, known.count + row_number() OVER (PARTITION BY v.label_id, v.day, v.is_known ORDER BY v.value) AS place
      FROM (SELECT *, value = '${OTHER}' OR ${hasDaySql("value_sum")} IS NOT NULL AS is_known FROM value_sum) v
      JOIN known USING (label_id, day)
    ),
    label_total AS (
      INSERT INTO usage_label_sum (account_id, label_id, grain, at, value, ${sumColumnsSql})
      SELECT :account, p.label_id, grain, ${truncateSql("grain", "p.day")},
             CASE WHEN p.is_known OR p.place <= ${MAX_VALUES} THEN p.value ELSE '${OTHER}' END, ${addUpSql("p")}
      FROM placed p CROSS JOIN (VALUES ('day'), ('month')) AS grains (grain)
      GROUP BY 2, 3, 4, 5
      ON CONFLICT (account_id, label_id, grain, at, value) DO UPDATE SET ${addSumsSql("usage_label_sum")}
    )
    SELECT greatest((SELECT count(*) FROM charge), (SELECT count(*) FROM uncharged)) AS count,
           (SELECT max(id) FROM charge) AS last_entry_id`,
});
