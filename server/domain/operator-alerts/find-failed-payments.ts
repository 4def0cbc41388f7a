import { int4, notNull, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { Finding } from "./finding";
import type { OperatorAlertsHub } from "./hub";

/** How long a failed payment is reported, unless a later one is paid. */
const REPORTED_MS = 7 * 86_400_000;

/** How long the hub tries to apply a provider's reports before it alerts operators. */
const UNAPPLIED_MS = 5 * 60_000;

/**
 * Returns the payments that need an operator: the last failed one of each account, unless a later one was paid, and all
 * whose state could not be applied or whose refund has no credit note. Also returns providers whose reports cannot be
 * applied.
 */
export async function findFailedPayments({ db, now }: OperatorAlertsHub): Promise<Finding[]> {
  const ago = (ms: number) => new Date(now().getTime() - ms);
  const [failed, unapplied, reports] = await Promise.all([
    selectFailed(db, ago(REPORTED_MS)),
    selectUnapplied(db),
    selectReports(db, ago(UNAPPLIED_MS)),
  ]);
  return [
    ...failed.map(({ account_id, id, failure_code }) => ({
      subject: `account ${account_id}`,
      detail: `Payment ${id} failed${failure_code === null ? "" : `: ${failure_code}`}`,
    })),
    ...unapplied.map(({ id, error }) => ({ subject: `payment ${id}`, detail: `It needs attention: ${error}` })),
    ...reports.map(({ provider, count, error }) => ({
      subject: `reports of ${provider}`,
      detail: `${count} could not be applied: ${error}`,
    })),
  ].map((finding) => ({ name: "payment.failed", isRaised: true, ...finding }));
}

const selectFailed = statement({
  params: [timestamptz],
  row: { account_id: int4, id: uuid, failure_code: nullable(text) },
  text: `
    SELECT DISTINCT ON (account_id) account_id, id, failure_code FROM payment p
    WHERE state = 'failed' AND settled_at > $1
      AND NOT EXISTS (
        SELECT FROM payment later WHERE later.account_id = p.account_id AND later.id > p.id AND later.state = 'paid')
    ORDER BY account_id, id DESC`,
});

const selectUnapplied = statement({
  params: [],
  row: { id: uuid, error: notNull(text) },
  text: "SELECT id, error FROM payment WHERE error IS NOT NULL",
});

const selectReports = statement({
  params: [timestamptz],
  row: { provider: text, count: notNull(int4), error: notNull(text) },
  text: `
    SELECT provider, count(*)::int AS count, min(error) AS error FROM payment_event
    WHERE next_attempt_at IS NOT NULL AND error IS NOT NULL AND received_at < $1 GROUP BY provider ORDER BY provider`,
});
