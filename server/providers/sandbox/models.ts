import { formats, MAX_IMAGES } from "./input";
import { aspectRatios, resolutions } from "./sizes";
import { sandboxText } from "./text/model";
import { sandboxTrainer } from "./trainer/model";

/** `created` of the sandbox's models, the same on every hub. */
export const SANDBOX_OFFERED_AT = new Date("2026-11-21T00:00:00Z");

/** The models that a hub offers while SANDBOX is on, in the format of an operator's catalogue file. */
export const sandboxCatalogue = [
  {
    id: "sandbox-image",
    name: "Sandbox image",
    description:
      "Draws a landscape from the prompt: the same input always gives the same picture. Needs no key and no network, so " +
      "you can build and test a client against it. Up to four input images appear in the foreground; a character " +
      "provides the colours of the land. In a prompt, [fail] fails permanently, [flaky] fails once and then succeeds, " +
      "[slow:3] takes three seconds, and [hang] never ends. It costs real credit.",
    input_modalities: ["text", "image"],
    output_modalities: ["image"],
    timeout_seconds: 60,
    parameters_schema: {
      type: "object",
      required: ["prompt"],
      additionalProperties: false,
      properties: {
        prompt: { type: "string", minLength: 1, maxLength: 4_000, description: "What to draw." },
        aspect_ratio: { type: "string", enum: aspectRatios, default: "1:1", description: "Width to height." },
        resolution: {
          type: "string",
          enum: resolutions,
          default: "1k",
          description: "Edge of a square picture: 1024, 2048 or 4096 pixels; other ratios have about the same area.",
        },
        format: { type: "string", enum: formats, default: "png", description: "Format of the picture." },
        character: {
          type: "integer",
          minimum: 1,
          maximum: 2_147_483_647,
          description: "Id of a ready character of sandbox-trainer, whose colours the land takes.",
        },
        image_input: {
          type: "array",
          maxItems: MAX_IMAGES,
          items: { type: "string", format: "uri", maxLength: 8_192 },
          default: [],
          description: "URLs of PNG, JPEG, WebP, GIF or AVIF pictures to include, at most 20 MiB each.",
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
];
