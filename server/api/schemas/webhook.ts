import { z } from "@hono/zod-openapi";
import { alertEventNames, eventNames, generationEventNames, paymentEventNames, TEST_EVENT } from "../../domain/events";
import { EventName, GenerationEventName } from "../../domain/endpoints";
import { Batch } from "./batch";
import { exampleDelivery } from "./example-delivery";
import { exampleGeneration } from "./example-generation";
import { Generation } from "./generation";
import { limit, nextCursor, orNull, page, time, uuid } from "./values";

const SentEventName = z.enum([...eventNames, TEST_EVENT]).openapi("SentEventName");

const LastError = z
  .object({
    at: time,
    event: SentEventName,
    delivery_id: uuid,
    attempts: z.int(),
    status: z.int().nullable().openapi({ description: "HTTP status of the last response; null if there was none" }),
    message: z.string(),
  })
  .openapi("LastError");

/** Specification, section 2.8, with the fields of the contract. */
const endpoint = {
  id: uuid,
  url: z.url().openapi({ example: "https://example.com/hooks/hub" }),
  events: z.array(EventName).min(1),
  status: z.enum(["active", "revoked"]).openapi("WebhookStatus"),
  created_at: time,
  last_error: orNull(LastError).openapi({ description: "Latest delivery that failed after all its attempts" }),
};

export const Webhook = z.object(endpoint).openapi("Webhook");

export const WebhookWithSecret = z
  .object({
    ...endpoint,
    secret: z.string().openapi({
      description: "Signs deliveries; shown only once",
      example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw1bJ0Yw8m0tY=",
    }),
  })
  .openapi("WebhookWithSecret");

export const SigningSecret = z
  .object({
    secret: z.string().openapi({
      description: "Signs the deliveries of generations' own webhooks",
      example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw1bJ0Yw8m0tY=",
    }),
    created_at: time,
    previous_expires_at: time
      .nullable()
      .openapi({ description: "Until when deliveries are also signed with the previous secret; null if they are not" }),
  })
  .openapi("SigningSecret");

export const WebhookList = z
  .object({ data: z.array(Webhook).openapi({ description: "Active webhooks first, then newest first" }) })
  .openapi("WebhookList");

const Attempt = z
  .object({
    started_at: time,
    duration_ms: z.int(),
    status: z.int().nullable().openapi({ description: "HTTP status of the response; null if there was none" }),
    response: z.string().nullable().openapi({ description: "Start of the response body" }),
    error: z.string().nullable().openapi({ description: "Why there was no response" }),
  })
  .openapi("DeliveryAttempt");

export const Delivery = z
  .object({
    id: uuid.openapi({ description: "Id in `X-Service-Delivery` and in the envelope" }),
    webhook_id: uuid.openapi({ description: "The webhook; for a generation's own webhook, an id of its host" }),
    event: SentEventName,
    generation_id: uuid
      .nullable()
      .openapi({ description: "Null for a test and for an event that is not about a generation" }),
    status: z.enum(["pending", "succeeded", "failed", "canceled"]).openapi("DeliveryStatus"),
    created_at: time,
    next_attempt_at: time.nullable(),
    attempts: z.array(Attempt).openapi({ description: "Oldest first" }),
  })
  .openapi("Delivery", { example: exampleDelivery });

export const DeliveryQuery = z.object(page());

export const DeliveryPage = z
  .object({
    data: z.array(Delivery).openapi({ description: "Newest event first" }),
    next_cursor: nextCursor,
  })
  .openapi("DeliveryPage");

/** Specification, section 6. */
export const Envelope = z
  .object({
    id: uuid,
    event: GenerationEventName,
    created_at: time,
    data: Generation,
  })
  .openapi("Envelope", {
    example: {
      id: exampleDelivery.id,
      event: exampleDelivery.event,
      created_at: exampleDelivery.created_at,
      data: exampleGeneration,
    },
  });

/** The event of batches, which only webhooks that name it receive. */
export const BatchEnvelope = z
  .object({ id: uuid, event: z.literal("batch.completed"), created_at: time, data: Batch })
  .openapi("BatchEnvelope");

const Payment = z
  .object({
    id: uuid,
    amount: z.number().openapi({ description: "EUR credited, without tax", example: 25 }),
    tax: z.number().openapi({ description: "EUR paid in addition", example: 4.75 }),
    currency: z.literal("EUR"),
    state: z
      .enum(["pending", "paid", "failed", "expired", "partially_refunded", "refunded", "disputed"])
      .openapi("PaymentState"),
  })
  .openapi("Payment");

/** The events of payments, which only webhooks that name them receive. */
export const PaymentEnvelope = z
  .object({
    id: uuid,
    event: z.enum(paymentEventNames).openapi("PaymentEventName"),
    created_at: time,
    data: Payment,
  })
  .openapi("PaymentEnvelope");

const Alert = z
  .object({
    account: z
      .object({ email: z.email(), name: z.string().nullable() })
      .openapi("AlertAccount", { description: "Contact address and name of the account" }),
    at: time,
    balance: z.number().optional().openapi({ description: "EUR, of `balance.…`", example: 4.2 }),
    available: z.number().optional().openapi({
      description: "Available balance in EUR: the balance without what running generations reserve",
      example: 3.9,
    }),
    threshold: z
      .number()
      .optional()
      .openapi({ description: "EUR below which the balance is low; of `budget.…` 50, 80 or 100 percent", example: 10 }),
    key: z.object({ id: uuid, name: z.string() }).openapi("AlertKey", { description: "Of `key.…`" }).optional(),
    spend_limit: z.number().optional().openapi({ description: "EUR", example: 50 }),
    spent: z.number().optional().openapi({ description: "EUR, with what running generations reserve", example: 50 }),
    budget: z
      .object({ id: uuid, name: z.string() })
      .openapi("AlertBudget", { description: "Of `budget.…`" })
      .optional(),
    amount: z.number().optional().openapi({ description: "EUR, of the budget", example: 50 }),
    end_user: z
      .string()
      .nullable()
      .optional()
      .openapi({ description: "Who spent it, of a budget for each end user", example: null }),
    resets_at: time.nullable().optional(),
    webhook: z
      .object({ id: uuid, url: z.url().openapi({ example: "https://example.com/hooks/hub" }) })
      .openapi("AlertWebhook", { description: "Of `webhook.…`" })
      .optional(),
    status: z
      .int()
      .nullable()
      .optional()
      .openapi({ description: "HTTP status of the last response, if there was one" }),
    error: z.string().nullable().optional().openapi({ description: "Why there was no response" }),
  })
  .openapi("Alert");

/** Alerts, which only webhooks that name them receive. */
export const AlertEnvelope = z
  .object({
    id: uuid,
    event: z.enum(alertEventNames).openapi("AlertEventName"),
    created_at: time,
    data: Alert,
  })
  .openapi("AlertEnvelope");

export const FeedQuery = z.object({
  after: z.string().min(1).max(64).optional().openapi({
    description:
      "`next_after` of the previous response. Omit it to start with the oldest event; use `latest` to start now, which returns no events",
  }),
  limit: limit(100, 100),
  types: z
    .string()
    .max(400)
    .transform((names) => names.split(",").map((name) => name.trim()))
    .pipe(z.array(EventName).max(eventNames.length, "names an event twice"))
    .optional()
    .openapi({
      type: "string",
      description: `Only these events, separated by commas: ${eventNames.join(", ")}. By default ${generationEventNames.join(", ")}`,
      example: generationEventNames.join(","),
    }),
});

export const Feed = z
  .object({
    data: z
      .array(z.union([Envelope, BatchEnvelope, PaymentEnvelope, AlertEnvelope]))
      .openapi({ description: "Oldest first; each id is that of the event" }),
    next_after: z.string().nullable().openapi({
      description: "Position to continue from; null while the account has no events",
      example: exampleDelivery.id,
    }),
    has_more: z.boolean().openapi({ description: "Whether more events are available now" }),
  })
  .openapi("Feed");
