import { z } from "@hono/zod-openapi";
import { failureCodes, priorities, statuses } from "../../domain/generations/row";
import { routeReasons, skipReasons } from "../../domain/generations/attempts";
import { OwnWebhookInput } from "../../domain/endpoints";
import { QuoteInput } from "../../domain/quotes";
import { LabelFilter, LabelInput } from "../../domain/labels";
import { RetentionInput } from "../../domain/retention";
import { SearchInput } from "../../domain/generations/search";
import { exampleGeneration } from "./example-generation";
import { MissingContent } from "./problem";
import { clientUuid, currency, euros, input, metadata, modelId, nextCursor, orNull, page, time, uuid } from "./values";

export const Priority = z
  .enum(priorities)
  .openapi("Priority", { description: "Among the account's own generations: `high` goes first, `low` last" });

export const Status = z.enum(statuses).openapi("Status");

/** Specification, section 2.2. */
const Output = z
  .object({
    index: z.int().openapi({ description: "Position in `outputs`", example: 0 }),
    media_type: z.string().openapi({ example: "image/png" }),
    url: z.url().openapi({ example: "https://hub.example/api/v1/hub/files/019aa535-6c00-7a3e-9b11-5a4f6e0c2d11" }),
    size: z.int().openapi({ description: "Bytes", example: 48213 }),
    expires_at: time,
  })
  .openapi("Output");

export const Failure = z
  .object({
    code: z.enum(failureCodes).openapi("FailureCode"),
    message: z.string(),
    retryable: z.boolean().openapi({ description: "Whether the same request may succeed later" }),
  })
  .openapi("Failure");

export const missing = z.array(MissingContent).openapi({
  description:
    "Content still to be uploaded while `awaiting_supply`, or content that was missing when it ended; otherwise empty",
});

export const progress = z
  .number()
  .min(0)
  .max(1)
  .nullable()
  .openapi({ description: "Never decreases; 1 only once succeeded; null if unknown" });

/** Specification, section 2.1. */
const tokenCount = z.int().nonnegative();

const TokenUsage = z
  .object({
    input_tokens: tokenCount.openapi({ description: "All tokens of the prompt" }),
    cached_input_tokens: tokenCount.openapi({ description: "Those of the prompt that came from a cache" }),
    cache_write_tokens: tokenCount.openapi({ description: "Those of the prompt that were written to a cache" }),
    output_tokens: tokenCount.openapi({ description: "All tokens of the response" }),
    reasoning_tokens: tokenCount.openapi({ description: "Those of the response that were reasoning" }),
  })
  .openapi("TokenUsage");

export const Generation = z
  .object({
    id: uuid,
    model: modelId,
    is_llm: z.boolean().openapi({ description: "True for text models; remains after the content expires" }),
    status: Status,
    input: input.openapi({ description: "The input as stored" }),
    estimated_cost: euros.openapi({ description: "Maximum cost in EUR; reserved until the generation is settled" }),
    billed_cost: euros.nullable().openapi({ description: "Cost in EUR; null until settled" }),
    currency,
    outputs: z.array(Output),
    error: orNull(Failure),
    missing,
    created_at: time,
    started_at: time.nullable(),
    completed_at: time.nullable(),
    provider: z.string().openapi({
      description: "Kind of provider that serves the generation; `hub` if the operator hides it",
      example: "sandbox",
    }),
    batch_id: uuid.nullable(),
    priority: Priority,
    metadata: metadata.openapi({ description: "Your own pairs, and those of the API key" }),
    end_user: z.string().nullable().openapi({ description: "Your own id of the person for whom it was made" }),
    progress,
    erased_at: time.nullable().openapi({
      description:
        "When its content was erased; `input` and `metadata` are empty then, `end_user` is null and the message of an `error` is replaced",
    }),
    usage: orNull(TokenUsage).optional().openapi({
      description: "Tokens that a text model was charged for; null until it is settled, absent unless `is_llm`",
    }),
  })
  .openapi("Generation", { example: exampleGeneration });

export const GenerationRequest = z
  .strictObject({
    model: z
      .string()
      .min(1)
      .max(200)
      .openapi({ description: "Id of a model from the model list", example: "sandbox-image" }),
    input,
    batch_id: clientUuid
      .optional()
      .openapi({ description: "Your own id for a group of generations, to filter lists by" }),
    webhook: OwnWebhookInput.optional(),
    priority: Priority.optional(),
    quote: QuoteInput.optional(),
    ...RetentionInput,
    ...LabelInput,
  })
  .openapi("GenerationRequest");

export const GenerationQuery = z.object({
  ...page(", with the same filters"),
  exclude_llm: z
    .enum(["true", "false"], "must be true or false")
    .transform((value) => value === "true")
    .default(false)
    .openapi({ type: "boolean", default: false, description: "Excludes text generations, also from `total_billed`" }),
  status: Status.optional(),
  model: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._:-]{0,199}$/, "must be a model id")
    .optional()
    .openapi({ description: "Only generations of this model", example: "sandbox-image" }),
  batch_id: clientUuid.optional().openapi({ description: "Only generations of this batch" }),
  ...SearchInput,
  ...LabelFilter,
});

/** Specification, section 2.6. */
export const GenerationPage = z
  .object({
    data: z.array(Generation).openapi({ description: "Newest first" }),
    next_cursor: nextCursor,
    total_billed: euros.openapi({
      description: "Billed cost in EUR of all generations that match the filters, on every page",
    }),
    total_is_partial: z.literal(true).optional().openapi({
      description:
        "Present if more generations match `q`, `metadata`, `end_user`, `from` or `to` than the hub sums up; `total_billed` is then of the newest",
    }),
  })
  .openapi("GenerationPage");

const AttemptOutcome = z
  .enum(["succeeded", "failed", "refused", "canceled", "lost", "skipped"])
  .openapi("AttemptOutcome", {
    description:
      "`refused`: the provider did not begin the work; `lost`: it is unknown whether it did; `skipped`: the route was not tried",
  });
const RouteReason = z.enum(routeReasons).openapi("RouteReason");
const SkipReason = z.enum(skipReasons).openapi("SkipReason");

export const AttemptList = z
  .object({
    data: z.array(
      z
        .object({
          id: uuid,
          route: z
            .string()
            .nullable()
            .openapi({ description: "Null if the operator hides it", example: "sandbox:sandbox-image" }),
          provider: z.string().nullable().openapi({ description: "Null if the operator hides it", example: "sandbox" }),
          reason: orNull(RouteReason).openapi({
            description:
              "Why the route was tried: the model's routing; `measuring` for one whose speed is not known; `sticky` for the one " +
              "that served the conversation before; `bought_again` after a response was lost elsewhere. Null if it was skipped or " +
              "is a worker's, and if the operator hides it",
            example: "order",
          }),
          started_at: time,
          ended_at: time.nullable(),
          first_token_ms: z.int().optional().openapi({
            description: "Milliseconds until the first token; only of a streamed chat that had one",
          }),
          outcome: orNull(AttemptOutcome).openapi({ example: "succeeded" }),
          skipped: SkipReason.optional().openapi({
            description: "Why the route was not tried; only if it was `skipped`",
          }),
          upstream_status: z
            .int()
            .nullable()
            .openapi({ description: "HTTP status of the provider's response", example: 200 }),
          cost: euros.nullable().openapi({
            description: "Cost reported by the provider, in EUR; null if it is unknown or the operator hides it",
          }),
          late_report_at: time.optional().openapi({
            description:
              "When the provider reported on an attempt that was `lost` by then; the result was not delivered",
          }),
        })
        .openapi("Attempt"),
    ),
  })
  .openapi("AttemptList");
