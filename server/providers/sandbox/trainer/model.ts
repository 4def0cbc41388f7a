import { DEFAULT_STEPS, MAX_IMAGES, MAX_STEPS } from "./input";

/** The sandbox's worker model, in the format of an operator's catalogue file. */
export const sandboxTrainer = {
  id: "sandbox-trainer",
  name: "Sandbox trainer",
  description:
    "Learns the shared palette of pictures: returns a contact sheet with the palette, and a description as JSON. Runs on a " +
    "worker, in steps that can be followed, canceled and resumed; in the hub itself if SANDBOX_WORKER is on and no " +
    "other worker claims it. In a trigger word, [fail] fails permanently, [flaky] fails once and then succeeds, [slow:3] " +
    "takes three seconds, and [hang] never ends. Runs are charged to your balance.",
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
        description: "Pictures of the same subject: PNG, JPEG, WebP, GIF or AVIF.",
      },
      trigger_word: { type: "string", minLength: 1, maxLength: 200, description: "Trigger word for prompts." },
      steps: {
        type: "integer",
        minimum: 1,
        maximum: MAX_STEPS,
        default: DEFAULT_STEPS,
        description: "Number of refinement steps.",
      },
    },
  },
  gpu: { price_per_second: 0.0005, max_seconds: 120 },
  routes: [{ provider: "worker" }],
};
