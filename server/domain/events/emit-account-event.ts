import type { Queryable } from "../../db/client";
import { int4, text, textOf, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { newId } from "../../lib/id";
import { type PendingDelivery, pendingColumns, REDISPATCH_AFTER_SECONDS } from "./dispatch-deliveries";
import type { EventName } from "./event-names";

/**
 * Inserts an event that is about the account itself and one delivery for each endpoint that names it, in the transaction
 * that makes the change. Without such an endpoint nothing is inserted; the feed does not have these events.
 */
export const emitAccountEvent = (
  tx: Queryable,
  accountId: number,
  name: EventName,
  data: object,
  now: Date,
): Promise<PendingDelivery[]> =>
  insertAccountEvent(
    tx,
    accountId,
    name,
    newId(),
    now,
    JSON.stringify(data),
    new Date(now.getTime() + REDISPATCH_AFTER_SECONDS * 1000),
  );

const insertAccountEvent = statement({
  params: [int4, textOf<EventName>(), uuid, timestamptz, text, timestamptz],
  row: pendingColumns,
  text: `
    WITH subscribed AS (
      SELECT id, slow FROM endpoint WHERE account_id = $1 AND revoked_at IS NULL AND $2 = ANY (events)
    ),
    new_event AS (
      INSERT INTO event (id, account_id, name, created_at, data)
      SELECT $3, $1, $2, $4, $5 WHERE EXISTS (SELECT FROM subscribed) RETURNING n
    ),
    new_delivery AS (
      INSERT INTO delivery (id, endpoint_id, event_n, created_at, next_attempt_at, redispatch_at)
      SELECT gen_random_uuid(), subscribed.id, new_event.n, $4, $4, $6 FROM subscribed, new_event
      RETURNING id, endpoint_id, round
    )
    SELECT new_delivery.id, endpoint_id, NULL::uuid AS generation_id, round, slow
    FROM new_delivery JOIN subscribed ON subscribed.id = endpoint_id`,
});
