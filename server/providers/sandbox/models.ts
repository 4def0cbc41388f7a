import { aspectRatios, formats, MAX_IMAGES, resolutions } from "./input";
import { sandboxAudio } from "./audio/models";
import { sandboxEmbedding } from "./embedding";
import { sandboxTrainer } from "./trainer/model";
import { sandboxVideo } from "./video/model";

/** The sandbox's text model, in the format of an operator's catalogue file. */
const sandboxText = {
  id: "sandbox-text",
  name: "Sandbox text",
  description:
    "Completes chats deterministically, with real token counts (o200k). Needs no key and no network, so you can build and " +
    "test a client against it. It calls a tool when the user's message mentions it or tool_choice requires it, writes " +
    "JSON by response_format, and describes the size of attached images. Runs are charged to your balance.",
  input_modalities: ["text", "image"],
  output_modalities: ["text"],
  timeout_seconds: 60,
  llm: {
    input_cost_per_million: 0.1,
    output_cost_per_million: 0.4,
    context_length: 128_000,
    max_output_tokens: 4_096,
  },
  supports: ["vision", "tools", "structured_output"],
  routes: [{ provider: "sandbox", upstream_model: "sandbox-text" }],
};

/** `created` of the sandbox's models, the same on every hub. */
export const SANDBOX_OFFERED_AT = new Date("2026-11-21T00:00:00Z");

/** The models that a hub offers while SANDBOX is on, in the format of an operator's catalogue file. */
export const sandboxCatalogue = [
  {
    id: "sandbox-image",
    name: "Sandbox image",
    description:
      "Draws a landscape from the prompt: the same input always returns the same image. Needs no key and no network, so " +
      "you can build and test a client against it. Up to four input images appear in the foreground; a character " +
      "provides the colours. Runs are charged to your balance.",
    input_modalities: ["text", "image"],
    output_modalities: ["image"],
    timeout_seconds: 60,
    parameters_schema: {
      type: "object",
      required: ["prompt"],
      additionalProperties: false,
      properties: {
        prompt: {
          type: "string",
          minLength: 1,
          maxLength: 4_000,
          examples: [
            "A lighthouse at dawn, seen from the water",
            "A harbour full of small boats",
            "An orchard in bloom",
          ],
          description: "What to draw.",
        },
        aspect_ratio: {
          type: "string",
          enum: aspectRatios,
          default: "1:1",
          examples: ["16:9", "4:3"],
          description: "Width to height.",
        },
        resolution: {
          type: "string",
          enum: resolutions,
          default: "1k",
          description: "Edge of a square image: 1024, 2048 or 4096 pixels. Other ratios have about the same area.",
        },
        format: { type: "string", enum: formats, default: "png", description: "File format." },
        character: {
          type: "integer",
          minimum: 1,
          maximum: 2_147_483_647,
          description: "A trained character of sandbox-trainer, whose colours the landscape uses.",
        },
        image_input: {
          type: "array",
          maxItems: MAX_IMAGES,
          items: { type: "string", format: "uri", maxLength: 8_192 },
          default: [],
          description: "Images to include (PNG, JPEG, WebP, GIF or AVIF, 20 MiB each).",
        },
      },
    },
    pricing_tiers: [
      { match: { resolution: "1k" }, price_usd: 0.01 },
      { match: { resolution: "2k" }, price_usd: 0.02 },
      { match: { resolution: "4k" }, price_usd: 0.04 },
    ],
    routes: [{ provider: "sandbox", upstream_model: "sandbox-image" }],
  },
  sandboxText,
  sandboxTrainer,
  ...sandboxAudio,
  sandboxVideo,
  sandboxEmbedding,
];
