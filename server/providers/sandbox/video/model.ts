/** The sizes of a video, and the ratio of the picture that it shows. */
export const videoSizes = { "720x1280": "9:16", "1280x720": "16:9" } as const;
export const MAX_SECONDS = 12;

/** The sandbox's model of videos, in the format of an operator's catalogue file. */
export const sandboxVideo = {
  id: "sandbox-video",
  name: "Sandbox video",
  description:
    "Pans across the landscape that sandbox-image draws from the prompt: the same input always returns the same video, a " +
    "WebM without sound. Needs no key and no network. Runs are charged to your balance.",
  input_modalities: ["text", "image"],
  output_modalities: ["video"],
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
        examples: ["A lighthouse at dawn, seen from the water"],
        description: "What to show.",
      },
      seconds: { type: "integer", minimum: 1, maximum: MAX_SECONDS, default: 4, description: "Length." },
      size: {
        type: "string",
        enum: Object.keys(videoSizes),
        default: "720x1280",
        description: "Width and height in pixels.",
      },
      input_reference: {
        type: "string",
        format: "uri",
        maxLength: 8_192,
        description: "An image to include (PNG, JPEG, WebP, GIF or AVIF, 20 MiB).",
      },
    },
  },
  pricing: { per: "second", times: "seconds", tiers: [{ match: {}, price_usd: 0.01 }] },
  routes: [{ provider: "sandbox", upstream_model: "sandbox-video" }],
};
