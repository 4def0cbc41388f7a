import { int4, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
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
    SELECT DISTINCT p.id, p.account_id, p.provider
    FROM payment_event e JOIN payment p ON p.provider = e.provider AND p.intent_ref = e.intent_ref
    WHERE e.received_at > $1 AND e.kind = 'charge.dispute.created'
      AND NOT EXISTS (
        SELECT FROM payment_event closed WHERE closed.received_at > $1 AND closed.kind = 'charge.dispute.closed'
          AND closed.provider = e.provider AND closed.intent_ref = e.intent_ref)`,
});
