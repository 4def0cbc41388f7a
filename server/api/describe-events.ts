import { type RouteConfig, z } from "@hono/zod-openapi";
import { describeEvent, eventNames } from "../domain/events";
import { AlertEnvelope, BatchEnvelope, Envelope, PaymentEnvelope } from "./schemas/webhook";
import { uuid } from "./schemas/values";

const envelopes = {
  generation: Envelope,
  batch: BatchEnvelope,
  payment: PaymentEnvelope,
  balance: AlertEnvelope,
  key: AlertEnvelope,
  budget: AlertEnvelope,
  webhook: AlertEnvelope,
};

const headers = z.object({
  "X-Service-Event": z.string().openapi({ example: "generation.completed" }),
  "X-Service-Delivery": uuid.openapi({ description: "Id of the envelope; the same on every attempt" }),
  "X-Service-Signature": z.string().openapi({
    description: "`sha256=` followed by the hex HMAC-SHA256 of the raw body, keyed with the webhook's secret",
    example: "sha256=5f0c9f7d2d0a…",
  }),
  "webhook-id": uuid.openapi({ description: "The same id, in the header of Standard Webhooks" }),
  "webhook-timestamp": z.string().openapi({ description: "Unix seconds of the attempt", example: "1795248000" }),
  "webhook-signature": z.string().openapi({
    description: "Standard Webhooks signatures of the id, the timestamp and the raw body, separated by spaces",
    example: "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  }),
});

const responses = {
  "2XX": { description: "Delivered" },
  "4XX": { description: "Not retried (except 429)" },
  "5XX": { description: "Retried later, as is 429" },
};

/** Returns the OpenAPI descriptions of the requests that webhooks receive. */
export const describeEvents = (): RouteConfig[] =>
  eventNames.map((name) => {
    const { subject, summary } = describeEvent(name);
    return {
      operationId: name,
      method: "post",
      path: name,
      tags: ["Webhooks"],
      summary,
      security: [],
      request: {
        headers,
        body: { required: true, content: { "application/json": { schema: envelopes[subject] } } },
      },
      responses,
    };
  });

/**
 * Returns the same requests as callbacks of the operation that registers their URL. Generators that do not support
 * `webhooks` would otherwise omit the schemas that nothing else refers to.
 */
export const describeCallbacks = (): NonNullable<RouteConfig["callbacks"]> => ({
  generationEvent: { "{$request.body#/url}": { post: describeCallback("A generation event", "Envelope") } },
  batchEvent: { "{$request.body#/url}": { post: describeCallback("The end of a batch", "BatchEnvelope") } },
  paymentEvent: { "{$request.body#/url}": { post: describeCallback("A payment event", "PaymentEnvelope") } },
  alertEvent: { "{$request.body#/url}": { post: describeCallback("An alert", "AlertEnvelope") } },
});

const describeCallback = (summary: string, schema: string) => ({
  summary,
  security: [],
  requestBody: {
    required: true,
    content: { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } },
  },
  responses,
});
