import type { Queryable } from "../../db/client";
import { int4, nullable, text, textOf, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { newId } from "../../lib/id";
import {
  getRedispatchTime,
  type PendingDelivery,
  pendingColumns,
  REDISPATCH_AFTER_SECONDS,
} from "./dispatch-deliveries";
import type { EventName } from "./event-names";

interface EventSource {
  event: EventName;
  /** A CTE or subquery of generations with `follows_events`, whose accounts are locked. */
  changed: string;
  /** When it happened: a parameter, or an expression over `changed`. */
  at: string;
  /** An expression over `changed`. */
  snapshot: string;
  /** Whether `changed` has the column `webhook`. */
  hasOwnWebhooks?: boolean;
}

/**
 * Returns SQL that inserts an event for every changed generation whose account follows events or whose own webhook names it,
 * and its delivery to each subscribed endpoint and to that webhook. Defines the CTEs `new_event` and `new_delivery`. It is part
 * of the statement that makes the change, so that both are committed together.
 */
export const emitEventsSql = ({ event, changed, at, snapshot, hasOwnWebhooks }: EventSource): string => `
  -- The events of accounts that follow them${hasOwnWebhooks ? ", and of own webhooks" : ""}.
  new_event AS (
    INSERT INTO event (id, account_id, name, generation_id, created_at, snapshot)
    SELECT gen_random_uuid(), account_id, '${event}', id, ${at}::timestamptz, ${snapshot}
    FROM ${changed} changed WHERE follows_events${hasOwnWebhooks ? ` OR webhook -> 'events' ? '${event}'` : ""}
    RETURNING n, account_id, generation_id, created_at
  ),
  -- A delivery of each event to each subscribed endpoint.
  new_delivery AS (
    INSERT INTO delivery (id, endpoint_id, event_n, created_at, next_attempt_at, redispatch_at${hasOwnWebhooks ? ", url" : ""})
    SELECT ${deliveryValuesSql}${hasOwnWebhooks ? ", NULL" : ""}
    FROM new_event JOIN endpoint USING (account_id)
    WHERE endpoint.revoked_at IS NULL AND '${event}' = ANY (endpoint.events)${hasOwnWebhooks ? ownDeliveriesSql(event, changed) : ""}
    RETURNING id, endpoint_id, event_n, round
  )`;

const deliveryValuesSql = `gen_random_uuid(), endpoint.id, new_event.n, new_event.created_at, new_event.created_at, new_event.created_at + interval '${REDISPATCH_AFTER_SECONDS} seconds'`;

const ownDeliveriesSql = (event: EventName, changed: string): string => `
    UNION ALL
    SELECT ${deliveryValuesSql}, webhook ->> 'url'
    FROM ${changed} changed JOIN new_event ON new_event.generation_id = changed.id
    JOIN endpoint ON endpoint.id = (webhook ->> 'endpoint_id')::uuid
    WHERE endpoint.revoked_at IS NULL AND webhook -> 'events' ? '${event}'`;

/** Returns SQL for the column `deliveries`: what `emitEventsSql` has inserted for one generation, as a JSON array or null. */
export const pendingDeliveriesSql = (generationId: string): string => `(
  SELECT json_agg(json_build_object('id', new_delivery.id, 'endpoint_id', endpoint.id, 'generation_id', new_event.generation_id, 'round', new_delivery.round, 'slow', endpoint.slow))
  FROM new_event JOIN new_delivery ON new_delivery.event_n = new_event.n JOIN endpoint ON endpoint.id = new_delivery.endpoint_id
  WHERE new_event.generation_id = ${generationId}) AS deliveries`;

/** Where an own webhook receives an event. */
interface OwnTarget {
  endpoint_id: string;
  url: string;
}

/**
 * Inserts an event about the account itself, and its delivery to each subscribed endpoint and to `own`, in the transaction that
 * makes the change. Inserts nothing if nobody receives it and the account does not follow events. The feed returns these events
 * only to requests that name them.
 */
export const emitAccountEvent = (
  tx: Queryable,
  accountId: number,
  name: EventName,
  data: object,
  now: Date,
  own?: OwnTarget | null,
): Promise<PendingDelivery[]> =>
  insertAccountEvent(
    tx,
    accountId,
    name,
    newId(),
    now,
    JSON.stringify(data),
    getRedispatchTime(now),
    own?.endpoint_id ?? null,
    own?.url ?? null,
  );

const insertAccountEvent = statement({
  params: [int4, textOf<EventName>(), uuid, timestamptz, text, timestamptz, nullable(uuid), nullable(text)],
  row: pendingColumns,
  text: `
    WITH follower AS MATERIALIZED (
      -- Locked, so that the feed's events of an account are committed in the order of their numbers.
      SELECT id FROM account WHERE id = $1 AND follows_events FOR UPDATE
    ),
    subscribed AS (
      SELECT id, slow, CASE WHEN id = $7 THEN $8 END AS url FROM endpoint
      WHERE account_id = $1 AND revoked_at IS NULL AND ($2 = ANY (events) OR id = $7)
    ),
    new_event AS (
      INSERT INTO event (id, account_id, name, created_at, data)
      SELECT $3, $1, $2, $4, $5 WHERE EXISTS (SELECT FROM follower) OR EXISTS (SELECT FROM subscribed) RETURNING n
    ),
    new_delivery AS (
      INSERT INTO delivery (id, endpoint_id, event_n, created_at, next_attempt_at, redispatch_at, url)
      SELECT gen_random_uuid(), subscribed.id, new_event.n, $4, $4, $6, subscribed.url FROM subscribed, new_event
      RETURNING id, endpoint_id, round
    )
    SELECT new_delivery.id, endpoint_id, NULL::uuid AS generation_id, round, slow
    FROM new_delivery JOIN subscribed ON subscribed.id = endpoint_id`,
});
