import { z } from "zod";
import { eventNames, generationEventNames } from "../events";

export const EventName = z.enum(eventNames).meta({ id: "EventName" });

export const GenerationEventName = z.enum(generationEventNames).meta({ id: "GenerationEventName" });

const url = z
  .string()
  .min(1)
  .max(2_048)
  .meta({ description: "Must use https and be on the public internet", example: "https://example.com/hooks/hub" });

const namesOf = <Name extends string>(name: z.ZodType<Name>, max: number) =>
  z
    .array(name)
    .min(1, "must name at least one event")
    .max(max, "names an event twice")
    .refine((names) => new Set(names).size === names.length, "names an event twice");

/** The body of a request that creates a webhook, in REST and the console. */
export const WebhookInput = z
  .strictObject({
    url,
    events: namesOf(EventName, eventNames.length).meta({ example: ["generation.completed"] }),
  })
  .meta({ id: "WebhookRequest" });

/** The webhook of one generation, in the body that creates it. */
export const OwnWebhookInput = z
  .strictObject({
    url,
    events: namesOf(GenerationEventName, generationEventNames.length)
      .optional()
      .meta({
        description: "Events that it receives; `generation.completed` by default",
        example: ["generation.completed"],
      }),
  })
  .meta({ id: "OwnWebhook" });

const batchEvents = [...generationEventNames, "batch.completed"] as const;

/** The webhook of a batch, in the body that creates it. */
export const BatchWebhookInput = z
  .strictObject({
    url,
    events: namesOf(z.enum(batchEvents).meta({ id: "BatchEventName" }), batchEvents.length)
      .optional()
      .meta({
        description: "Events that it receives, also those of each generation; `batch.completed` by default",
        example: ["batch.completed"],
      }),
  })
  .meta({ id: "BatchWebhook" });
