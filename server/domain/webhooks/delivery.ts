import { int4, int8, json, nullable, text, textOf, timestamptz, uuid } from "../../db/column-types";
import { type RowOf } from "../../db/statement";
/** One HTTP request of a delivery, as logged. */
interface Attempt {
  started_at: string;
  duration_ms: number;
  status: number | null;
  response: string | null;
  error: string | null;
}

export const deliveryColumns = {
  n: int8,
  id: uuid,
  endpoint_id: uuid,
  event: text,
  generation_id: nullable(uuid),
  state: textOf<"pending" | "succeeded" | "failed" | "canceled">(),
  round: int4,
  created_at: timestamptz,
  next_attempt_at: nullable(timestamptz),
  attempts: json<Attempt[]>(),
};

/** The delivery of one event to one endpoint, with its attempts. */
export type Delivery = RowOf<typeof deliveryColumns>;

/** SQL: the columns of a `Delivery` from `delivery d` and its `event e`. */
export const deliverySql = `
  e.n, d.id, d.endpoint_id, e.name AS event, e.generation_id, d.state, d.round, d.created_at, d.next_attempt_at,
  (SELECT coalesce(json_agg(json_build_object(
            'started_at', a.started_at, 'duration_ms', a.duration_ms, 'status', a.status,
            'response', a.response, 'error', a.error) ORDER BY a.round, a.n), '[]')
   FROM delivery_attempt a WHERE a.delivery_id = d.id) AS attempts`;

/** Returns the API representation of a delivery. */
export const serializeDelivery = (delivery: Delivery) => ({
  id: delivery.id,
  webhook_id: delivery.endpoint_id,
  event: delivery.event,
  generation_id: delivery.generation_id,
  status: delivery.state,
  created_at: delivery.created_at.toISOString(),
  next_attempt_at: delivery.next_attempt_at?.toISOString() ?? null,
  attempts: delivery.attempts.map((attempt) => ({
    ...attempt,
    started_at: new Date(attempt.started_at).toISOString(),
  })),
});
