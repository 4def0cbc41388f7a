import { int4, int8, json, nullable, text, textOf, timestamptz, uuid, int8Number } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import type { Ctx } from "../../context";
import { AppError } from "../../errors";
import { decodeCursor, type Page, toPage } from "../../lib/cursor";
import { isId } from "../../lib/id";
import { checkMoneyEvents, getEndpoint } from "../endpoints";
import { buildEnvelope, renderEvent } from "../envelopes";
import { eventColumns } from "../envelopes/sql";
import type { DeliveriesHub } from "./hub";

/** One HTTP request of a delivery. */
interface Attempt {
  started_at: string;
  duration_ms: number;
  status: number | null;
  response: string | null;
  error: string | null;
}

const deliveryColumns = {
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
const deliverySql = `
  e.n, d.id, d.endpoint_id, e.name AS event, e.generation_id, d.state, d.round, d.created_at, d.next_attempt_at,
  (SELECT coalesce(json_agg(json_build_object(
            'started_at', a.started_at, 'duration_ms', a.duration_ms, 'status', a.status,
            'response', a.response, 'error', a.error) ORDER BY a.round, a.n), '[]')
   FROM delivery_attempt a WHERE a.delivery_id = d.id) AS attempts`;

/** Returns a delivery as the API shows it. */
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

/** Returns a delivery of the account; throws 404 `resource_not_found` for a missing, foreign or malformed id alike. */
export async function getDelivery(ctx: Ctx<DeliveriesHub>, id: string): Promise<Delivery> {
  const rows = isId(id) ? await selectDelivery(ctx.hub.db, id, ctx.account.id) : [];
  if (!rows[0]) throw deliveryNotFoundError();
  return rows[0];
}

const selectDelivery = statement({
  params: [uuid, int4],
  row: deliveryColumns,
  text: `SELECT ${deliverySql} FROM delivery d JOIN event e ON e.n = d.event_n WHERE d.id = $1 AND e.account_id = $2`,
});

/** Returns the 404 error for a delivery that does not exist or whose endpoint is revoked. */
export const deliveryNotFoundError = () =>
  new AppError("resource_not_found", "There is no such delivery to an active endpoint.");

/**
 * Returns a page of an endpoint's deliveries, newest event first, with all attempts; with `failed` only those that
 * failed or are retried. Throws 404 like `getEndpoint`.
 */
export async function listDeliveries(
  ctx: Ctx<DeliveriesHub>,
  endpointId: string,
  { limit, cursor, failed = false }: { limit: number; cursor?: string; failed?: boolean },
): Promise<Page<Delivery>> {
  await getEndpoint(ctx, endpointId);
  const scope = JSON.stringify(["deliveries", endpointId]);
  const before = cursor === undefined ? null : BigInt(decodeCursor(ctx.hub, scope, cursor));
  const found = await (failed ? selectFailingPage : selectPage)(ctx.hub.db, endpointId, before, limit + 1);
  return toPage(ctx.hub, scope, found, { limit, positionOf: ({ n }) => n });
}

/** Declares the statement of a page. The condition is text, because the index of failing deliveries is partial. */
const pageStatement = (condition: string) =>
  statement({
    params: [uuid, nullable(int8), int8Number],
    row: deliveryColumns,
    text: `
    SELECT ${deliverySql} FROM (
      SELECT * FROM delivery WHERE endpoint_id = $1 AND ($2::bigint IS NULL OR event_n < $2) ${condition}
      ORDER BY event_n DESC LIMIT $3
    ) d JOIN event e ON e.n = d.event_n ORDER BY d.event_n DESC`,
  });

const selectPage = pageStatement("");
const selectFailingPage = pageStatement("AND (state = 'failed' OR (state = 'pending' AND attempts > 0))");

/** SQL: the URL of a delivery, from `delivery d` and its `endpoint p`. */
const urlSql = "coalesce(nullif(d.url, ''), p.url) AS url";

/** Returns the deliveries of a generation's events, oldest event first, with the URL of each. */
export const listGenerationDeliveries = (
  ctx: Ctx<DeliveriesHub>,
  generationId: string,
): Promise<(Delivery & { url: string })[]> => selectOfGeneration(ctx.hub.db, generationId, ctx.account.id);

const selectOfGeneration = statement({
  params: [uuid, int4],
  row: { ...deliveryColumns, url: text },
  text: `
    SELECT ${deliverySql}, ${urlSql} FROM event e JOIN delivery d ON d.event_n = e.n JOIN endpoint p ON p.id = d.endpoint_id
    WHERE e.generation_id = $1 AND e.account_id = $2 ORDER BY e.n, d.id`,
});

/**
 * Returns the URL, the identifying headers and the exact body of a delivery, which are the same for every attempt. Signature
 * headers differ by attempt and are not stored. Throws 404 like `getDelivery`, and 403 like `checkMoneyEvents`.
 */
export async function getDeliveryRequest(ctx: Ctx<DeliveriesHub>, id: string) {
  const [delivery] = isId(id) ? await selectRequest(ctx.hub.db, id, ctx.account.id) : [];
  if (!delivery) throw deliveryNotFoundError();
  await checkMoneyEvents(ctx, [delivery.name]);
  return {
    url: delivery.url,
    headers: { "X-Service-Event": delivery.name, "X-Service-Delivery": delivery.id, "webhook-id": delivery.id },
    body: buildEnvelope(delivery.id, delivery, await renderEvent(ctx.hub, delivery)),
  };
}

const selectRequest = statement({
  params: [uuid, int4],
  row: { ...eventColumns, id: uuid, url: text, name: text, created_at: timestamptz },
  text: `
    SELECT d.id, ${urlSql}, e.n, e.name, e.created_at, e.snapshot, e.data
    FROM delivery d JOIN event e ON e.n = d.event_n JOIN endpoint p ON p.id = d.endpoint_id
    WHERE d.id = $1 AND e.account_id = $2`,
});
