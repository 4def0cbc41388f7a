import { z } from "zod";
import { eventNames } from "./endpoint";

export const EventName = z.enum(eventNames).meta({ id: "EventName" });

/** What a new webhook is made from, as REST and the console take it. */
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
      .refine((names) => new Set(names).size === names.length, "names an event twice"),
  })
  .meta({ id: "WebhookRequest" });
