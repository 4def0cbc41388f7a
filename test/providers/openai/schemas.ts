/** Schemas of the requests and responses of OpenAI's images and audio, as its reference describes them in November 2026. */

const object = (properties: Record<string, unknown>, required: string[]) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const text = (maxLength: number) => ({ type: "string", minLength: 1, maxLength });
const list = (items: unknown, maxItems: number) => ({ type: "array", items, minItems: 1, maxItems });

/** A file of a form. */
const file = (types: string[], extension: string) =>
  object({ name: { type: "string", pattern: `\\.(${extension})$` }, type: { enum: types } }, ["name", "type"]);
const picture = file(["image/png", "image/webp", "image/jpeg"], "png|webp|jpe?g");

const drawing = {
  model: text(100),
  prompt: text(32_000),
  n: { type: "integer", minimum: 1, maximum: 10 },
  size: { type: "string", pattern: "^(auto|[1-9]\\d{1,3}x[1-9]\\d{1,3})$" },
  quality: { enum: ["auto", "low", "medium", "high", "xhigh", "max"] },
  background: { enum: ["auto", "opaque", "transparent"] },
  output_format: { enum: ["png", "jpeg", "webp"] },
  output_compression: { type: "integer", minimum: 0, maximum: 100 },
  user: text(200),
  stream: { const: false },
};

export const requestSchemas = {
  "/images/generations": object({ ...drawing, moderation: { enum: ["auto", "low"] } }, ["model", "prompt"]),
  "/images/edits": object(
    {
      ...drawing,
      image: { anyOf: [picture, list(picture, 16)] },
      mask: file(["image/png"], "png"),
      input_fidelity: { enum: ["low", "high"] },
    },
    ["model", "prompt", "image"],
  ),
  "/audio/speech": object(
    {
      model: text(100),
      input: text(4_096),
      voice: { anyOf: [text(100), object({ id: text(100) }, ["id"])] },
      instructions: text(4_096),
      response_format: { enum: ["mp3", "opus", "aac", "flac", "wav", "pcm"] },
      speed: { type: "number", minimum: 0.25, maximum: 4 },
      stream_format: { const: "audio" },
    },
    ["model", "input", "voice"],
  ),
  "/audio/transcriptions": object(
    {
      model: text(100),
      file: file(
        ["audio/flac", "audio/mpeg", "audio/mp4", "audio/ogg", "audio/wav", "video/mp4", "video/webm"],
        "flac|mp3|mp4|mpeg|mpga|m4a|ogg|wav|webm",
      ),
      language: text(10),
      languages: list(text(10), 20),
      prompt: text(10_000),
      response_format: { enum: ["json", "text", "srt", "verbose_json", "vtt"] },
      temperature: { type: "number", minimum: 0, maximum: 1 },
      timestamp_granularities: list({ enum: ["word", "segment"] }, 2),
      stream: { const: false },
    },
    ["model", "file"],
  ),
};

const count = { type: "integer", minimum: 0 };
const tokens = object({ text_tokens: count, image_tokens: count }, ["text_tokens", "image_tokens"]);

export const responseSchemas = {
  images: object(
    {
      created: count,
      background: { enum: ["opaque", "transparent"] },
      output_format: { enum: ["png", "jpeg", "webp"] },
      size: { type: "string" },
      quality: { enum: ["low", "medium", "high", "xhigh", "max"] },
      data: list(object({ b64_json: { type: "string", pattern: "^[A-Za-z0-9+/]+={0,2}$" } }, ["b64_json"]), 10),
      usage: object(
        {
          total_tokens: count,
          input_tokens: count,
          output_tokens: count,
          input_tokens_details: tokens,
          output_tokens_details: tokens,
        },
        ["total_tokens", "input_tokens", "output_tokens", "input_tokens_details"],
      ),
    },
    ["created", "data", "usage"],
  ),
  transcription: object(
    {
      text: { type: "string" },
      usage: object({ type: { const: "duration" }, seconds: { type: "number", minimum: 0 } }, ["type", "seconds"]),
    },
    ["text"],
  ),
  models: object(
    {
      object: { const: "list" },
      data: list(
        object(
          {
            id: text(100),
            object: { const: "model" },
            created: count,
            owned_by: text(100),
            shutdown_date: { anyOf: [{ type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}$" }, { type: "null" }] },
          },
          ["id", "object", "created", "owned_by"],
        ),
        1_000,
      ),
    },
    ["object", "data"],
  ),
  error: object(
    {
      error: object(
        {
          message: text(1_000),
          type: text(100),
          param: { type: ["string", "null"] },
          code: { type: ["string", "null"] },
        },
        ["message", "type", "param", "code"],
      ),
    },
    ["error"],
  ),
};
