import { z } from "@hono/zod-openapi";
import { eventNames, TEST_EVENT } from "../../domain/webhooks/endpoint";
import { EventName } from "../../domain/webhooks/input";
import { Generation } from "./generation";
import { limit, orNull, time, uuid } from "./values";

const SentName = z.enum([...eventNames, TEST_EVENT]).openapi("SentEventName");

const LastError = z
  .object({
    at: time,
    event: SentName,
    delivery_id: uuid,
    attempts: z.int(),
    status: z.int().nullable().openapi({ description: "HTTP status of the last answer; null when there was none" }),
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
  last_error: orNull(LastError).openapi({ description: "The newest delivery that was given up" }),
};

export const Webhook = z.object(endpoint).openapi("Webhook");

export const WebhookWithSecret = z
  .object({
    ...endpoint,
    secret: z.string().openapi({
      description: "Signs what is sent; shown this once",
      example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw1bJ0Yw8m0tY=",
    }),
  })
  .openapi("WebhookWithSecret");

export const WebhookList = z
  .object({ data: z.array(Webhook).openapi({ description: "Active ones first, then newest first" }) })
  .openapi("WebhookList");

const Attempt = z
  .object({
    started_at: time,
    duration_ms: z.int(),
    status: z.int().nullable().openapi({ description: "HTTP status of the answer; null when there was none" }),
    response: z.string().nullable().openapi({ description: "The first bytes of the answer" }),
    error: z.string().nullable().openapi({ description: "Why there was no answer" }),
  })
  .openapi("DeliveryAttempt");

export const Delivery = z
  .object({
    id: uuid.openapi({ description: "What `X-Service-Delivery` and the envelope carry" }),
    webhook_id: uuid,
    event: SentName,
    generation_id: uuid.nullable().openapi({ description: "Null for a test" }),
    status: z.enum(["pending", "succeeded", "failed", "canceled"]),
    created_at: time,
    next_attempt_at: time.nullable(),
    attempts: z.array(Attempt).openapi({ description: "Oldest first" }),
  })
  .openapi("Delivery");

export const DeliveryQuery = z.object({
  limit: limit(20, 100),
  cursor: z.string().min(1).max(512).optional().openapi({ description: "`next_cursor` of the page before" }),
});

export const DeliveryPage = z
  .object({
    data: z.array(Delivery).openapi({ description: "Newest event first" }),
    next_cursor: z.string().nullable().openapi({ description: "Null on the last page" }),
  })
  .openapi("DeliveryPage");

/** Specification, section 6. */
export const Envelope = z
  .object({ id: uuid, event: EventName, created_at: time, data: Generation })
  .openapi("Envelope");

export const FeedQuery = z.object({
  after: z.string().min(1).max(64).optional().openapi({
    description:
      "`next_after` of the answer before; without it from the oldest event kept, with `latest` from now on, which answers no events",
  }),
  limit: limit(100, 100),
});

export const Feed = z
  .object({
    data: z.array(Envelope).openapi({ description: "Oldest first; their ids are the events' own" }),
    next_after: z
      .string()
      .nullable()
      .openapi({ description: "Where to go on; null while the account has no event, which means from the beginning" }),
    has_more: z.boolean().openapi({ description: "There are more to be had at once" }),
  })
  .openapi("Feed");
