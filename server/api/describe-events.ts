import { type RouteConfig, z } from "@hono/zod-openapi";
import { type EventName, eventNames } from "../domain/webhooks/endpoint";
import { Envelope } from "./schemas/webhook";
import { uuid } from "./schemas/values";

const summaries: Record<EventName, string> = {
  "generation.running": "Execution of a generation has started",
  "generation.completed": "A generation has succeeded, failed or been canceled",
};

const headers = z.object({
  "X-Service-Event": z.string().openapi({ example: "generation.completed" }),
  "X-Service-Delivery": uuid.openapi({ description: "Equal to the envelope's id; a repetition has the same" }),
  "X-Service-Signature": z.string().openapi({
    description: "`sha256=` and the HMAC-SHA256 of the raw body in hex, keyed by the webhook's secret",
    example: "sha256=5f0c9f7d2d0a…",
  }),
});

/** What webhooks send, for the description. */
export const describeEvents = (): RouteConfig[] =>
  eventNames.map((name) => ({
    operationId: name,
    method: "post",
    path: name,
    tags: ["Webhooks"],
    summary: summaries[name],
    security: [],
    request: { headers, body: { required: true, content: { "application/json": { schema: Envelope } } } },
    responses: {
      "2XX": { description: "Taken in" },
      "4XX": { description: "Given up at once, but for 429" },
      "5XX": { description: "Tried again later, as is a 429" },
    },
  }));
