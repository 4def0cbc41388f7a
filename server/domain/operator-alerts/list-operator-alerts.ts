import { text, textOf, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import { describeAlert } from "./describe-changes";
import type { OperatorAlertName } from "./finding";
import type { OperatorAlertsHub } from "./hub";

/** Returns the operators' alerts that are raised, newest first. */
export async function listOperatorAlerts({ db }: Pick<OperatorAlertsHub, "db">) {
  return (await selectRaised(db)).map(({ raised_at, ...alert }) => ({
    ...alert,
    title: describeAlert({ ...alert, is_raised: true }),
    raised_at: raised_at.toISOString(),
  }));
}

const selectRaised = statement({
  params: [],
  row: { name: textOf<OperatorAlertName>(), subject: text, detail: text, raised_at: timestamptz },
  text: "SELECT name, subject, detail, raised_at FROM operator_alert ORDER BY raised_at DESC, name, subject LIMIT 200",
});
