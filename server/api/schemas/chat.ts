import { z } from "@hono/zod-openapi";
import { ExhaustedBudget } from "./budget";
import { ErrorCode, Problem } from "./problem";
import { euros, uuid } from "./values";

const tokens = z.int().openapi({ example: 42 });

/** The members read before the model is known; the model's own schema then validates the messages. */
export const ChatBody = z.looseObject({
  model: z.string().min(1).max(200).openapi({ description: "Id of a text model", example: "sandbox-text" }),
});

const fileReference = "Or a public URL, the URL of one of your files, or `sha256:…`";
const fileId = z.string().optional().openapi({ description: "Or the id of one of your files" });

const ContentPart = z
  .looseObject({
    type: z.string().max(64).openapi({
      description: "`text`, `image_url`, `file`, `input_audio`, or another type that the model accepts",
      example: "text",
    }),
    text: z.string().optional().openapi({ description: "Content of a `text` part" }),
    image_url: z
      .looseObject({
        url: z
          .string()
          .optional()
          .openapi({ description: "An http(s) or `data:` URL, the URL of one of your files, or `sha256:…`" }),
        file_id: fileId,
        detail: z.string().optional(),
      })
      .openapi("ChatImageUrl")
      .optional()
      .openapi({ description: "Content of an `image_url` part, for models that support vision" }),
    file: z
      .looseObject({
        file_data: z
          .string()
          .optional()
          .openapi({ description: "Base64 or a `data:` URL of a PDF, or of text in UTF-8" }),
        file_url: z.string().optional().openapi({ description: fileReference }),
        file_id: fileId,
        filename: z.string().optional().openapi({ example: "report.pdf" }),
      })
      .openapi("ChatFile")
      .optional()
      .openapi({ description: "Content of a `file` part; a PDF is for models with `file` in `input_modalities`" }),
    input_audio: z
      .looseObject({
        data: z
          .string()
          .optional()
          .openapi({ description: `Base64. ${fileReference}` }),
        file_id: fileId,
        format: z.string().optional().openapi({ example: "wav" }),
      })
      .openapi("ChatAudio")
      .optional()
      .openapi({ description: "Content of an `input_audio` part, for models with `audio` in `input_modalities`" }),
  })
  .openapi("ChatContentPart");

const ToolCall = z
  .looseObject({
    id: z.string(),
    type: z.string().openapi({ example: "function" }),
    function: z
      .looseObject({ name: z.string(), arguments: z.string().openapi({ description: "JSON" }) })
      .openapi("ChatFunctionCall")
      .optional(),
  })
  .openapi("ChatToolCall");

const Message = z
  .looseObject({
    role: z
      .string()
      .min(1)
      .max(64)
      .openapi({ description: "`system`, `user`, `assistant`, `tool`, …", example: "user" }),
    content: z
      .union([z.string(), z.array(ContentPart).max(10_000), z.null()])
      .optional()
      .openapi({ description: "Text or a list of parts", example: "What is the capital of France?" }),
    name: z.string().nullish(),
    tool_calls: z.array(ToolCall).nullish().openapi({ description: "Tool calls of an `assistant` message" }),
    tool_call_id: z.string().nullish().openapi({ description: "Id of the tool call that a `tool` message answers" }),
  })
  .openapi("ChatMessage");

const outputLimit = z.int().min(1).nullable().optional();

/** Specification, section 4.5. */
export const ChatRequest = ChatBody.extend({
  messages: z.array(Message).min(1).max(10_000),
  max_tokens: outputLimit.openapi({
    description: "Maximum number of output tokens; by default what the available balance covers",
  }),
  max_completion_tokens: outputLimit.openapi({ description: "Newer name of `max_tokens`" }),
  stream: z.literal(false).optional().openapi({ description: "Streaming is not supported" }),
}).openapi("ChatRequest");

export const ChatUsage = z
  .looseObject({
    prompt_tokens: tokens,
    completion_tokens: tokens,
    total_tokens: tokens,
    cost: euros.openapi({ description: "Amount charged in EUR" }),
  })
  .openapi("ChatUsage");

export const ChatCompletion = z
  .looseObject({
    id: uuid.openapi({ description: "Id of the generation that records this chat" }),
    object: z.literal("chat.completion"),
    created: z.int().openapi({ description: "Unix seconds" }),
    model: z.string().openapi({ example: "sandbox-text" }),
    choices: z
      .array(
        z
          .looseObject({
            index: z.int(),
            message: z.looseObject({ role: z.string(), content: z.string().nullable() }).openapi("ChatReply"),
            finish_reason: z.string().openapi({ example: "stop" }),
          })
          .openapi("ChatChoice"),
      )
      .min(1),
    usage: ChatUsage,
  })
  .openapi("ChatCompletion", {
    example: {
      id: "019aa535-6c00-7a3e-9b11-5a4f6e0c2d10",
      object: "chat.completion",
      created: 1_795_248_000,
      model: "sandbox-text",
      choices: [
        { index: 0, message: { role: "assistant", content: "The capital of France is Paris." }, finish_reason: "stop" },
      ],
      usage: { prompt_tokens: 14, completion_tokens: 8, total_tokens: 22, cost: 0.0000094 },
    },
  });

/** Specification, section 7: every error of the chat route except 401. */
export const ChatError = z
  .object({
    error: z
      .object({
        message: z.string(),
        code: ErrorCode,
        type: z.literal("invalid_request_error"),
        metadata: z
          .object({
            provider_name: z.string().openapi({ example: "Generation Hub" }),
            errors: z
              .record(z.string(), z.array(z.string()))
              .optional()
              .openapi({ description: "Messages by location" }),
            required: euros.optional().openapi({ description: "Maximum cost of the chat in EUR" }),
            available: euros.optional().openapi({ description: "Available balance in EUR" }),
            affordable_max_tokens: tokens
              .optional()
              .openapi({ description: "Largest `max_tokens` that the balance covers" }),
            budget: ExhaustedBudget.optional(),
            generation_id: z.uuid().optional().openapi({ description: "Id of the chat that is still in progress" }),
          })
          .openapi("ChatErrorMetadata"),
      })
      .openapi("ChatErrorDetails"),
  })
  .openapi("ChatError");

/** The hub's own 401 on the chat route: a problem, with the member that OpenAI's clients display. */
export const ChatUnauthorized = z
  .object({
    ...Problem.shape,
    code: z.literal("unauthorized"),
    error: z
      .object({ message: z.string(), code: z.literal("unauthorized"), type: z.literal("authentication_error") })
      .openapi("ChatUnauthorizedDetails"),
  })
  .openapi("ChatUnauthorized");
