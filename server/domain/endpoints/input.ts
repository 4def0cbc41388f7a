import { z } from "zod";
import { eventNames } from "../events";

export const EventName = z.enum(eventNames).meta({ id: "EventName" });

/** The body of a request that creates a webhook, in REST and the console. */
export const WebhookInput = z
  .strictObject({
    url: z.string().min(1).max(2_048).meta({
      description: "Must use https and be on the public internet",
      example: "https://example.com/hooks/hub",
    }),
    events: z
      .array(EventName)
      .min(1, "must name at least one event")
      .max(eventNames.length, "names an event twice")
      .refine((names) => new Set(names).size === names.length, "names an event twice")
      .meta({ example: ["generation.completed"] }),
  })
  .meta({ id: "WebhookRequest" });
