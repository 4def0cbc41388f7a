import { z } from "@hono/zod-openapi";
import { type ErrorCode, errorTable } from "../../errors";
import { Problem } from "./problem";
import { euros, uuid } from "./values";

const tokens = z.int().openapi({ example: 42 });

// The model's own rules check the messages, after the model was found; this is what they say.
const messages = z.unknown().openapi({
  type: "array",
  minItems: 1,
  items: {
    type: "object",
    required: ["role"],
    properties: {
      role: { type: "string", example: "user" },
      content: {
        description:
          "A text, or a list of parts. The `url` of an `image_url` part may be one of your files or its `sha256:…`",
        example: "What is the capital of France?",
      },
    },
  },
});

/** Specification, section 4.5. */
export const ChatRequest = z
  .looseObject({
    model: z.string().min(1).max(200).openapi({ description: "Id of a text model", example: "sandbox-text" }),
    messages,
  })
  .openapi("ChatRequest");

export const ChatCompletion = z
  .looseObject({
    id: uuid.openapi({ description: "Of the generation that records this chat" }),
    object: z.literal("chat.completion"),
    created: z.int().openapi({ description: "Unix seconds" }),
    model: z.string().openapi({ example: "sandbox-text" }),
    choices: z.array(
      z.looseObject({
        index: z.int(),
        message: z.looseObject({ role: z.string(), content: z.string().nullable() }),
        finish_reason: z.string().openapi({ example: "stop" }),
      }),
    ),
    usage: z.looseObject({
      prompt_tokens: tokens,
      completion_tokens: tokens,
      total_tokens: tokens,
      cost: euros.openapi({ description: "EUR, as it was charged" }),
    }),
  })
  .openapi("ChatCompletion");

/** Specification, section 7: every error of the chat route but 401. */
export const ChatError = z
  .object({
    error: z.object({
      message: z.string(),
      code: z.enum(Object.keys(errorTable) as ErrorCode[]),
      type: z.literal("invalid_request_error"),
      metadata: z.object({
        provider_name: z.string().openapi({ example: "Generation Hub" }),
        errors: z.record(z.string(), z.array(z.string())).optional().openapi({ description: "Messages by place" }),
        required: euros.optional().openapi({ description: "EUR that the chat can cost" }),
        available: euros.optional().openapi({ description: "EUR that the account has" }),
        affordable_max_tokens: tokens.optional().openapi({ description: "The largest `max_tokens` that is covered" }),
        generation_id: z.uuid().optional().openapi({ description: "The chat that is still in progress" }),
      }),
    }),
  })
  .openapi("ChatError");

/** The hub's own 401 on the chat route: a problem, with the member that OpenAI's clients show. */
export const ChatUnauthorized = z
  .object({
    ...Problem.shape,
    code: z.literal("unauthorized"),
    error: z.object({ message: z.string(), code: z.literal("unauthorized"), type: z.literal("authentication_error") }),
  })
  .openapi("ChatUnauthorized");
