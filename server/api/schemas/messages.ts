import { z } from "@hono/zod-openapi";
import { euros, modelId } from "./values";

const Block = z
  .looseObject({
    type: z.string().openapi({ description: "`text`, `image`, `document`, `tool_use`, `tool_result`, `thinking`, …" }),
  })
  .openapi("MessagesBlock");

const Content = z.union([z.string(), z.array(Block)]).openapi({ example: "What is the capital of France?" });

const MessageParam = z
  .looseObject({ role: z.enum(["user", "assistant", "system"]).openapi("MessagesRole"), content: Content })
  .openapi("MessagesMessage");

export const MessagesError = z
  .object({
    type: z.literal("error"),
    error: z
      .object({
        type: z.string().openapi({ example: "invalid_request_error" }),
        message: z.string().openapi({ example: "max_tokens: must be at least 1 for this model" }),
        details: z
          .object({ error_code: z.string().openapi({ example: "thread_unsupported_request" }) })
          .openapi("MessagesErrorCode")
          .optional(),
      })
      .openapi("MessagesErrorDetails"),
    request_id: z.string(),
  })
  .openapi("MessagesError");

/** The members read before the model is known. */
export const MessagesBody = z.looseObject({ model: modelId.max(200), messages: z.array(z.unknown()).min(1) });

export const MessagesRequestBody = z.looseObject({
  ...MessagesBody.shape,
  max_tokens: z.int().min(0),
  stream: z.boolean().nullish(),
});

const published = {
  model: modelId,
  messages: z.array(MessageParam).min(1),
  system: Content.optional(),
  tools: z.array(z.looseObject({ name: z.string() }).openapi("MessagesTool")).optional(),
};

export const CountTokensRequest = z.looseObject(published).openapi("CountTokensRequest");

export const MessagesRequest = z
  .looseObject({
    ...published,
    max_tokens: z.int().min(0).openapi({ example: 1024 }),
    stream: z.boolean().nullish().openapi({ description: "Whether the response is server-sent events" }),
  })
  .openapi("MessagesRequest", { description: "Other members are those of Anthropic's Messages" });

const tokens = z.int().openapi({ example: 42 });

export const Message = z
  .looseObject({
    id: z.string().openapi({ example: "msg_0199a1b2c3d47e5f8a9b0c1d2e3f4a5b" }),
    type: z.literal("message"),
    role: z.literal("assistant"),
    model: modelId,
    content: z.array(Block),
    stop_reason: z.string().nullable().openapi({ example: "end_turn" }),
    stop_sequence: z.string().nullish(),
    usage: z
      .looseObject({
        input_tokens: tokens,
        output_tokens: tokens,
        cache_creation_input_tokens: tokens.nullish(),
        cache_read_input_tokens: tokens.nullish(),
        cost: euros.openapi({ description: "In EUR" }),
      })
      .openapi("MessagesUsage"),
  })
  .openapi("Message");

export const CountedTokens = z.object({ input_tokens: tokens }).openapi("CountedTokens");

export const AnthropicModel = z
  .object({
    type: z.literal("model"),
    id: modelId,
    display_name: z.string(),
    created_at: z.iso.datetime(),
    max_input_tokens: z.int().nullable(),
    max_tokens: z.int().nullable(),
    capabilities: z.null(),
    lifecycle: z.literal("active"),
    line: z.null(),
    deprecated_at: z.null(),
    retires_at: z.null(),
  })
  .openapi("AnthropicModel");

export const AnthropicModelList = z
  .object({
    data: z.array(AnthropicModel),
    has_more: z.boolean(),
    first_id: modelId.nullable(),
    last_id: modelId.nullable(),
  })
  .openapi("AnthropicModelList");

export const AnthropicModelsQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1000).default(20),
  before_id: z.string().optional().openapi({ description: "Returns the models before this one" }),
  after_id: z.string().optional().openapi({ description: "Returns the models after this one" }),
});
