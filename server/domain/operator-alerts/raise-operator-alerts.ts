import { bool, jsonText, notNull, text, textOf, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import { insertOperatorMessages } from "../alerts";
import { describeChanges } from "./describe-changes";
import { findAuditViolations } from "./find-audit-violations";
import { findBacklogs } from "./find-backlogs";
import { findDisputedPayments } from "./find-disputed-payments";
import { findDownProviders } from "./find-down-providers";
import { findFailedPayments } from "./find-failed-payments";
import { findFullDisks } from "./find-full-disks";
import type { OperatorAlertName } from "./finding";
import type { OperatorAlertsHub } from "./hub";

/** Errors of providers and of the audit can be long. */
const MAX_DETAIL_LENGTH = 500;

const searches = [
  findDownProviders,
  findBacklogs,
  findAuditViolations,
  findFullDisks,
  findFailedPayments,
  findDisputedPayments,
];

/**
 * Finds what is wrong with the hub, and raises or clears its operators' alerts. The rows and one message about all changes are
 * committed together, so each crossing sends one alert, and none is lost. Returns how many changes it found.
 */
export async function raiseOperatorAlerts(hub: OperatorAlertsHub): Promise<number> {
  const findings = JSON.stringify((await Promise.all(searches.map((search) => search(hub)))).flat());
  return hub.db.transaction(async (tx) => {
    const changes = await applyFindings(tx, findings, hub.now());
    if (changes.length > 0) await insertOperatorMessages(hub, tx, describeChanges(hub.env, changes));
    return changes.length;
  });
}

// Each insert and delete is conditional: of two concurrent searches with the same findings, only one reports them.
const applyFindings = statement({
  params: [jsonText, timestamptz],
  row: {
    name: notNull(textOf<OperatorAlertName>()),
    subject: notNull(text),
    detail: notNull(text),
    is_raised: notNull(bool),
  },
  text: `
    WITH found AS MATERIALIZED (
      SELECT * FROM json_to_recordset($1::json) AS f (name text, subject text, detail text, "isRaised" boolean)
    ),
    raised AS (
      INSERT INTO operator_alert (name, subject, detail, raised_at)
      SELECT name, subject, left(detail, ${MAX_DETAIL_LENGTH}), $2 FROM found WHERE "isRaised"
      ON CONFLICT DO NOTHING RETURNING name, subject, detail
    ),
    cleared AS (
      DELETE FROM operator_alert a WHERE NOT EXISTS (SELECT FROM found f WHERE f.name = a.name AND f.subject = a.subject)
      RETURNING name, subject, detail
    )
    SELECT name, subject, detail, true AS is_raised FROM raised
    UNION ALL SELECT name, subject, detail, false FROM cleared
    ORDER BY is_raised DESC, name, subject`,
});
