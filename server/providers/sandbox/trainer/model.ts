import { DEFAULT_STEPS, MAX_IMAGES, MAX_STEPS } from "./input";

/** The sandbox's model for workers, in the form of a catalogue file. */
export const sandboxTrainer = {
  id: "sandbox-trainer",
  name: "Sandbox trainer",
  description:
    "Learns what pictures look like: a sheet of them with the palette that they share, and its description as JSON. A " +
    "worker does it, in steps that can be followed, canceled and resumed; without another one, the hub itself if " +
    "SANDBOX_WORKER is on. In a trigger word, [fail] fails for good, [flaky] fails once and then succeeds, [slow:3] " +
    "takes three seconds, and [hang] never ends. It costs real credit.",
  input_modalities: ["image"],
  output_modalities: ["image", "file"],
  parameters_schema: {
    type: "object",
    required: ["images"],
    additionalProperties: false,
    properties: {
      images: {
        type: "array",
        minItems: 1,
        maxItems: MAX_IMAGES,
        items: { type: "string", format: "uri", maxLength: 8_192 },
        description: "Addresses of PNG, JPEG, WebP, GIF or AVIF pictures of the same subject.",
      },
      trigger_word: { type: "string", minLength: 1, maxLength: 200, description: "What the subject is called." },
      steps: {
        type: "integer",
        minimum: 1,
        maximum: MAX_STEPS,
        default: DEFAULT_STEPS,
        description: "Rounds of refining the palette.",
      },
    },
  },
  gpu: { price_per_second: 0.0005, max_seconds: 120 },
  routes: [{ provider: "worker" }],
};
