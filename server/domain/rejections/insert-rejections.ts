import { jsonText, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";

/** How many rejected requests of an account are stored in a minute, by all processes together. */
export const MAX_STORED_PER_MINUTE = 30;

/**
 * Inserts rejected requests and adds the counts of their minutes. Of those that an account has in a minute, only the
 * first are stored; the counter's row lock decides between processes. The accounts that the rows refer to are locked in
 * the order of their ids, as statements that change accounts lock them. Parameters: rows, and counts.
 */
export const insertRejections = statement({
  params: [jsonText, jsonText],
  row: { id: uuid },
  text: `
    WITH rejection AS (
      SELECT *, row_number() OVER (PARTITION BY account_id, minute ORDER BY created_at, id) AS n
      FROM json_to_recordset($1::json) AS row (
        id uuid, account_id int, key_id uuid, created_at timestamptz, minute timestamptz, request_id text, method text,
        path text, status int, code text, message text)
    ),
    addition AS (
      SELECT * FROM json_to_recordset($2::json) AS row (account_id int, minute timestamptz, offered int, dropped int)
    ),
    referred AS MATERIALIZED (
      SELECT id FROM account WHERE id IN (SELECT account_id FROM addition) ORDER BY id FOR KEY SHARE
    ),
    counter AS (
      INSERT INTO rejected_request_count AS c (account_id, minute, offered, dropped)
      SELECT account_id, minute, offered, dropped FROM addition JOIN referred ON referred.id = account_id
      ORDER BY account_id, minute
      ON CONFLICT (account_id, minute)
      DO UPDATE SET offered = c.offered + excluded.offered, dropped = c.dropped + excluded.dropped
      RETURNING c.account_id, c.minute, c.offered
    )
    INSERT INTO rejected_request (id, account_id, key_id, created_at, request_id, method, path, status, code, message)
    SELECT id, account_id, key_id, created_at, request_id, method, path, status, code, message
    FROM rejection JOIN counter USING (account_id, minute) JOIN addition USING (account_id, minute)
    WHERE counter.offered - addition.offered + n <= ${MAX_STORED_PER_MINUTE}
    RETURNING id`,
});
