import { int4, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { hasOpenDisputeSql } from "../payments/sql";
import type { Finding } from "./finding";
import type { OperatorAlertsHub } from "./hub";

/** How long an open dispute is reported. Banks wait for a reply for at least that long. */
const REPORTED_MS = 7 * 86_400_000;

/** Returns the payments that customers dispute with their bank, inquiries included: only a reply in time can win them. */
export async function findDisputedPayments({ db, now }: OperatorAlertsHub): Promise<Finding[]> {
  const disputed = await selectDisputed(db, new Date(now().getTime() - REPORTED_MS));
  return disputed.map(({ id, account_id, provider }) => ({
    name: "payment.disputed",
    subject: `payment ${id}`,
    detail: `Account ${account_id} disputes it with the bank. Reply at ${provider}`,
    isRaised: true,
  }));
}

const selectDisputed = statement({
  params: [timestamptz],
  row: { id: uuid, account_id: int4, provider: text },
  text: `
    SELECT p.id, p.account_id, p.provider
    FROM payment p JOIN payment_event e ON e.provider = p.provider AND e.intent_ref = p.intent_ref
    WHERE e.kind LIKE 'charge.dispute.%' AND (p.provider, p.intent_ref) IN (
        SELECT provider, intent_ref FROM payment_event WHERE received_at > $1 AND kind = 'charge.dispute.created')
    GROUP BY p.id HAVING ${hasOpenDisputeSql("e")}`,
});
