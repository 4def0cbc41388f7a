/** One HTTP request of a delivery, as logged. */
interface Attempt {
  started_at: string;
  duration_ms: number;
  status: number | null;
  response: string | null;
  error: string | null;
}

/** The delivery of one event to one endpoint, with its attempts. */
export interface Delivery {
  n: bigint;
  id: string;
  endpoint_id: string;
  event: string;
  generation_id: string | null;
  state: "pending" | "succeeded" | "failed" | "canceled";
  round: number;
  created_at: Date;
  next_attempt_at: Date | null;
  attempts: Attempt[];
}

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
