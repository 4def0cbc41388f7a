import { type Role, roles } from "../../context";
import type { Queryable } from "../../db/client";
import { array, bool, int4, int8, jsonText, nullable, text, textOf, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { type AlertName, emitAccountEvent, isMoneyEventName, type PendingDelivery } from "../events";
import { allowsRole } from "../people";
import { NIL_ID } from "../../lib/id";

/** A change of an alert's state, as a search has found it. */
export interface AlertChange {
  accountId: number;
  event: AlertName;
  /** The key, budget or endpoint; null for the account. */
  subjectId: string | null;
  /** Whether the alert is raised; otherwise it is cleared. */
  isReached: boolean;
  seenAt: Date | null;
  /** The value by which a later search finds that the alert is over. */
  level: bigint;
  period: string | null;
  /** The event's `data`. */
  data: object;
}

const moneyRoles = roles.filter((role) => allowsRole(role, "billing"));

/**
 * Applies a change in the caller's transaction. If the alert is raised, inserts the event for webhooks, and a message for
 * each recipient. Does nothing if the state has changed since the search. Returns the deliveries.
 */
export async function applyChange(
  tx: Queryable,
  { accountId, event, subjectId, isReached, seenAt, level, period, data }: AlertChange,
  { now, sendsMail }: { now: Date; sendsMail: boolean },
): Promise<PendingDelivery[]> {
  const key = [accountId, event, subjectId ?? NIL_ID] as const;
  const [changed] = await upsertState(tx, ...key, isReached, level, period, now, seenAt);
  if (!changed || !isReached) return [];
  const readers = isMoneyEventName(event) ? moneyRoles : [...roles];
  await insertMessages(tx, accountId, event, JSON.stringify(data), now, sendsMail, readers);
  return emitAccountEvent(tx, accountId, event, data, now);
}

const upsertState = statement({
  params: [int4, textOf<AlertName>(), uuid, bool, int8, nullable(text), timestamptz, nullable(timestamptz)],
  row: { account_id: int4 },
  text: `
    INSERT INTO alert (account_id, event, subject_id, is_raised, level, period, changed_at)
    VALUES ($1, $2, $3, $4, $5, $6::text::date, $7)
    ON CONFLICT (account_id, event, subject_id) DO UPDATE
      SET is_raised = excluded.is_raised, level = excluded.level, period = excluded.period, changed_at = excluded.changed_at
      WHERE alert.changed_at = $8
    RETURNING account_id`,
});

// Members whose address is not verified, or whose role may not see what the alert is about, get no message.
const insertMessages = statement({
  params: [int4, textOf<AlertName>(), jsonText, timestamptz, bool, array(textOf<Role>())],
  row: {},
  text: `
    INSERT INTO alert_message (id, account_id, person_id, event, data, created_at, next_attempt_at)
    SELECT gen_random_uuid(), $1, target.person_id, $2, $3::json, $4, $4 FROM (
      SELECT r.person_id FROM alert_recipient r JOIN person p ON p.id = r.person_id
      JOIN membership m ON m.account_id = r.account_id AND m.person_id = r.person_id
      WHERE r.account_id = $1 AND p.email_verified_at IS NOT NULL AND $5 AND m.role = ANY ($6::text[])
      UNION ALL SELECT NULL FROM alert_setting WHERE account_id = $1 AND slack_url IS NOT NULL
    ) target`,
});
