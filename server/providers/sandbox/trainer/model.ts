import { z } from "zod";

const MAX_IMAGES = 20;
const MAX_STEPS = 100;
const DEFAULT_STEPS = 10;

/** Input of `sandbox-trainer` with its defaults; keep it in sync with the schema in `model.ts`. */
export const Input = z.object({
  images: z.array(z.string()).min(1).max(MAX_IMAGES),
  trigger_word: z.string().default(""),
  steps: z.int().min(1).max(MAX_STEPS).default(DEFAULT_STEPS),
});

export type Input = z.infer<typeof Input>;

/** The sandbox's worker model, in the format of an operator's catalogue file. */
export const sandboxTrainer = {
  id: "sandbox-trainer",
  name: "Sandbox trainer",
  description:
    "Learns the shared palette of pictures: returns a contact sheet with the palette, and a description as JSON. Training " +
    "can be followed, canceled and resumed. Runs are charged to your balance.",
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
