import { z } from "@hono/zod-openapi";
import { ChatRequest, ChatUsage } from "./chat";
import { ErrorCode } from "./problem";
import { euros, modelId, orNull } from "./values";

/** Every error under `/v1`, also 401, 404 and 405. */
export const OpenAiError = z
  .object({
    error: z
      .object({
        message: z.string(),
        type: z
          .enum([
            "invalid_request_error",
            "authentication_error",
            "insufficient_quota",
            "rate_limit_error",
            "server_error",
          ])
          .openapi("ErrorType"),
        code: z.union([
          ErrorCode,
          z
            .enum(["context_length_exceeded", "insufficient_quota", "previous_response_not_found"])
            .openapi("OpenAiErrorCode"),
        ]),
        param: z.string().nullable().openapi({ description: "Member of the request that is not valid" }),
        metadata: z
          .looseObject({
            provider_name: z.string().openapi({ example: "Generation Hub" }),
            errors: z
              .record(z.string(), z.array(z.string()))
              .optional()
              .openapi({ description: "Messages by location" }),
            required: euros.optional().openapi({ description: "Amount in EUR that the request requires" }),
            available: euros.optional().openapi({ description: "Available balance in EUR" }),
            generation_id: z
              .uuid()
              .optional()
              .openapi({ description: "Id of the generation that is still in progress" }),
          })
          .openapi("ErrorMetadata", { description: "The hub's own details" }),
      })
      .openapi("ErrorDetails"),
  })
  .openapi("Error", {
    example: {
      error: {
        message: "size: must be omitted: this model chooses the size",
        type: "invalid_request_error",
        code: "invalid_input",
        param: "size",
        metadata: { provider_name: "Generation Hub" },
      },
    },
  });

export const OpenAiModel = z
  .looseObject({
    id: modelId,
    object: z.literal("model"),
    created: z.int().openapi({ description: "Unix seconds" }),
    owned_by: z.string(),
    name: z.string(),
    input_modalities: z.array(z.string()),
    output_modalities: z.array(z.string()),
    context_length: z.int().nullish(),
    max_output_tokens: z.int().nullish(),
  })
  .openapi("Model");

export const OpenAiModelList = z.object({ object: z.literal("list"), data: z.array(OpenAiModel) }).openapi("ModelList");

/** The specified chat, and what OpenAI's path accepts in addition. */
export const OpenAiChatRequest = z
  .looseObject({
    ...ChatRequest.shape,
    n: z.literal(1).nullish(),
    stream: z.boolean().nullish().openapi({ description: "Whether the response is server-sent events" }),
    stream_options: orNull(
      z
        .looseObject({
          include_usage: z.boolean().optional().openapi({ description: "Whether usage comes in a chunk of its own" }),
        })
        .openapi("StreamOptions"),
    ).optional(),
  })
  .openapi("StreamableChatRequest");

export const OpenAiCompletionRequest = z
  .looseObject({
    model: modelId,
    prompt: z.union([z.string(), z.array(z.string()).length(1)]).openapi({ example: "A lighthouse is" }),
    max_tokens: z.int().min(1).nullish().openapi({ description: "16 by default" }),
    n: z.literal(1).nullish(),
    stream: z.boolean().nullish().openapi({ description: "Whether the response is server-sent events" }),
  })
  .openapi("CompletionRequest", { description: "Other members are those of a chat" });

export const OpenAiCompletion = z
  .looseObject({
    id: z.uuid().openapi({ description: "Id of the generation" }),
    object: z.literal("text_completion"),
    created: z.int().openapi({ description: "Unix seconds" }),
    model: z.string().openapi({ example: "sandbox-text" }),
    choices: z
      .array(
        z
          .looseObject({
            text: z.string(),
            index: z.int(),
            logprobs: z.null(),
            finish_reason: z.string().openapi({ example: "stop" }),
          })
          .openapi("CompletionChoice"),
      )
      .min(1),
    usage: ChatUsage,
  })
  .openapi("Completion");

const count = z.int().min(1).nullish().openapi({
  description: "Number of pictures. Up to 10 generations, unless the model draws several pictures in one",
});
const size = z
  .string()
  .nullish()
  .openapi({ description: "`auto`, or a width and height in pixels; becomes the model's own", example: "1024x1024" });
const format = z.enum(["b64_json", "url"]).nullish().openapi({ description: "`b64_json` by default" });

export const OpenAiImageRequest = z
  .looseObject({ model: modelId, prompt: z.string(), n: count, size, response_format: format })
  .openapi("ImageRequest", { description: "Other members are parameters of the model" });

/** A file of a form. */
const file = z.string().openapi({ type: "string", format: "binary" });

export const OpenAiImageForm = z
  .looseObject({
    model: modelId,
    prompt: z.string(),
    image: file,
    mask: file.optional(),
    size,
    response_format: format,
  })
  .openapi("ImageEditForm", { description: "Other fields are parameters of the model" });

export const OpenAiImages = z
  .looseObject({
    created: z.int().openapi({ description: "Unix seconds" }),
    data: z.array(z.object({ b64_json: z.string().optional(), url: z.url().optional() }).openapi("ImageData")).min(1),
    output_format: z.string().optional().openapi({ example: "png" }),
  })
  .openapi("Images");

export const OpenAiSpeechRequest = z
  .looseObject({
    model: modelId.openapi({ example: "sandbox-speech" }),
    input: z.string(),
    voice: z.string().optional(),
    stream_format: z.literal("audio").nullish(),
  })
  .openapi("SpeechRequest", { description: "Other members are parameters of the model" });

export const OpenAiTranscriptionForm = z
  .looseObject({
    model: modelId.openapi({ example: "sandbox-transcription" }),
    file,
    response_format: z.string().optional().openapi({ description: "`json` by default", example: "json" }),
  })
  .openapi("TranscriptionForm", { description: "Other fields are parameters of the model" });

export const OpenAiTranscription = z.looseObject({ text: z.string() }).openapi("Transcription", {
  description: "With `response_format: json`; other formats are texts",
});

const seconds = z
  .string()
  .nullish()
  .openapi({ description: "Length; becomes the model's own parameter", example: "8" });
const videoSize = z
  .string()
  .nullish()
  .openapi({ description: "Width and height in pixels; becomes the model's own parameters", example: "1280x720" });

export const OpenAiVideoRequest = z
  .looseObject({
    model: modelId.openapi({ example: "sandbox-video" }),
    prompt: z.string(),
    seconds,
    size: videoSize,
    input_reference: z
      .looseObject({
        file_id: z.string().optional().openapi({ description: "Id of one of your files" }),
        image_url: z.string().optional().openapi({ description: "A URL, or a data URL of up to 4 MiB" }),
      })
      .nullish()
      .openapi("VideoReference", { description: "The picture from which the video starts: one of the two" }),
  })
  .openapi("VideoRequest", { description: "Other members are parameters of the model" });

export const OpenAiVideoForm = z
  .looseObject({ ...OpenAiVideoRequest.shape, input_reference: file.optional() })
  .openapi("VideoForm", { description: "Other fields are parameters of the model" });

export const OpenAiVideo = z
  .object({
    id: z.uuid().openapi({ description: "Id of the generation" }),
    object: z.literal("video"),
    model: z.string().openapi({ example: "sandbox-video" }),
    status: z.enum(["queued", "in_progress", "completed", "failed"]).openapi("VideoStatus"),
    progress: z.int().min(0).max(100).openapi({ description: "Percent" }),
    created_at: z.int().openapi({ description: "Unix seconds" }),
    completed_at: z.int().nullable().openapi({ description: "Unix seconds, once it is completed or failed" }),
    expires_at: z.int().nullable().openapi({ description: "Unix seconds until which its content is kept" }),
    prompt: z.string().nullable(),
    seconds: z.string().nullable().openapi({ description: "As requested, else the model's default", example: "8" }),
    size: z.string().nullable().openapi({ description: "As requested, else the model's default", example: "1280x720" }),
    remixed_from_video_id: z.null(),
    error: orNull(
      z
        .object({ code: z.string().openapi({ example: "content_refused" }), message: z.string() })
        .openapi("VideoFailure"),
    ),
  })
  .openapi("Video");

export const OpenAiVideoList = z
  .object({
    object: z.literal("list"),
    data: z.array(OpenAiVideo),
    first_id: z.uuid().nullable(),
    last_id: z.uuid().nullable().openapi({ description: "`after` of the next page" }),
    has_more: z.boolean(),
  })
  .openapi("VideoList");

export const OpenAiDeletedVideo = z
  .object({ id: z.uuid(), object: z.literal("video.deleted"), deleted: z.literal(true) })
  .openapi("DeletedVideo");

const texts = z.union([
  z.string(),
  z.array(z.string()).min(1).max(2_048),
  z.array(z.int()).min(1),
  z.array(z.array(z.int())).min(1).max(2_048),
]);

export const OpenAiEmbeddingRequest = z
  .looseObject({
    model: modelId.openapi({ example: "sandbox-embedding" }),
    input: texts.openapi({ description: "A text, up to 2,048 texts, or the same in tokens", example: "a lighthouse" }),
    dimensions: z.int().min(1).max(65_536).nullish(),
    encoding_format: z.enum(["float", "base64"]).nullish(),
  })
  .openapi("EmbeddingRequest");

export const OpenAiEmbeddings = z
  .looseObject({
    object: z.literal("list"),
    model: z.string(),
    data: z.array(
      z
        .object({
          object: z.literal("embedding"),
          index: z.int(),
          embedding: z
            .union([z.array(z.number()), z.string()])
            .openapi({ description: "Numbers, or base64 of float32" }),
        })
        .openapi("Embedding"),
    ),
    usage: z
      .looseObject({
        prompt_tokens: z.int(),
        total_tokens: z.int(),
        cost: euros.openapi({ description: "Amount charged in EUR" }),
      })
      .openapi("EmbeddingUsage"),
  })
  .openapi("Embeddings");
