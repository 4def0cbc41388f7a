import { int4, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { changeColumns } from "./find-balance-alerts";

/** How many attempts in a row fail before an endpoint is failing, and succeed before it works again. */
const ATTEMPTS = 3;

/** Returns the alerts about endpoints with attempts since `$1` whose state changes: failing, or working again. */
export const findWebhookAlerts = statement({
  params: [timestamptz],
  row: {
    ...changeColumns,
    endpoint_id: uuid,
    url: text,
    /** HTTP status of the latest response; null when there was none. */
    status: nullable(int4),
    error: nullable(text),
  },
  isLong: true,
  text: `
    WITH seen AS (
      SELECT p.id, p.account_id, p.url, latest.*
      FROM endpoint p CROSS JOIN LATERAL (
        SELECT count(*) = ${ATTEMPTS} AND bool_and(NOT succeeded) AS is_reached, bool_and(succeeded) AS works,
               (array_agg(status ORDER BY started_at DESC))[1] AS status,
               (array_agg(error ORDER BY started_at DESC))[1] AS error
        FROM (SELECT d.status, d.error, d.started_at, (d.status BETWEEN 200 AND 299) IS TRUE AS succeeded
              FROM delivery_attempt d WHERE d.endpoint_id = p.id ORDER BY d.started_at DESC LIMIT ${ATTEMPTS}) newest
      ) latest
      WHERE p.revoked_at IS NULL
        AND EXISTS (SELECT FROM delivery_attempt d WHERE d.endpoint_id = p.id AND d.started_at >= $1)
    )
    SELECT seen.account_id, a.email, a.name, seen.is_reached, alert.changed_at AS seen_at,
           seen.id AS endpoint_id, seen.url, seen.status, seen.error
    FROM seen JOIN account a ON a.id = seen.account_id AND NOT a.suspended
    LEFT JOIN alert ON alert.account_id = a.id AND alert.event = 'webhook.failing' AND alert.subject_id = seen.id
    WHERE seen.is_reached AND alert.is_raised IS NOT TRUE OR seen.works AND alert.is_raised
    ORDER BY seen.account_id, seen.id`,
});
