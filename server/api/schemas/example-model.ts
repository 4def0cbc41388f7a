import { mapTokenClasses } from "../../catalogue/price-units";
import { HUB_NAME } from "../../lib/hub-name";

/** The model that the API description shows. */
export const exampleModel = {
  id: "sandbox-image",
  object: "model",
  created: 1_795_219_200,
  owned_by: HUB_NAME,
  name: "Sandbox image",
  description: "Draws a picture without a provider.",
  input_modalities: ["text", "image"],
  output_modalities: ["image"],
  currency: "EUR",
  is_llm: false,
  parameters_schema: {
    type: "object",
    required: ["prompt"],
    properties: {
      prompt: { type: "string", maxLength: 4000 },
      resolution: { enum: ["1k", "2k"], default: "1k" },
    },
  },
  pricing_tiers: [
    { match: { resolution: "2k" }, price_usd: 0.02 },
    { match: {}, price_usd: 0.01 },
  ],
  ...mapTokenClasses("_cost_per_million", () => null),
  context_length: null,
  max_output_tokens: null,
  supports_vision: false,
  supports_tools: false,
  supports_structured_output: false,
  supports_reasoning: false,
};
