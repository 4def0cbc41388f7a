import { z } from "@hono/zod-openapi";
import { priceUnitNames } from "../../catalogue/price-units";
import { mapNames, tokenClasses, tokenClassNames } from "../../catalogue/token-classes";
import { HUB_NAME } from "../../lib/hub-name";
import { currency, euros, input, modelId, orNull, time } from "./values";

/** The model that the API description shows. */
const exampleModel = {
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
  ...mapNames(tokenClassNames, "_cost_per_million", () => null),
  long_context: null,
  service_tiers: null,
  implicit_cache_writes: null,
  context_length: null,
  max_output_tokens: null,
  supports_vision: false,
  supports_tools: false,
  supports_structured_output: false,
  supports_reasoning: false,
  typical_seconds: 2.4,
};

const modalities = z
  .array(z.string())
  .min(1)
  .openapi({ example: ["text", "image"] });
const tokenPrices = mapNames(tokenClassNames, "_cost_per_million", (name) =>
  z
    .number()
    .nullable()
    .openapi({
      description:
        `EUR per million ${tokenClasses[name].noun}; null unless \`is_llm\`` +
        (name === tokenClasses[name].within
          ? ""
          : `, and where they cost as much as plain ${tokenClasses[name].within}`),
    }),
);

const Tier = z
  .object({
    match: z.record(z.string(), z.unknown()).openapi({
      description:
        "Parameter values to match; the first tier that matches sets the price. `present` and `absent` say whether a parameter is given",
    }),
    price_usd: z.number().openapi({ description: "USD for a generation, or for each `unit` of the model" }),
    next_price_usd: z
      .number()
      .optional()
      .openapi({ description: "USD for each further unit, or further megapixel of a picture, if it differs" }),
  })
  .openapi("PricingTier");

/** Specification, section 2.4. */
export const Model = z
  .object({
    id: modelId,
    object: z.literal("model"),
    created: z
      .int()
      .openapi({ description: "When the hub first offered the model, in Unix seconds", example: 1_795_219_200 }),
    owned_by: z.string().openapi({ description: "The hub, regardless of the provider", example: HUB_NAME }),
    name: z.string(),
    description: z.string().nullable(),
    input_modalities: modalities,
    output_modalities: modalities,
    currency,
    is_llm: z.boolean(),
    parameters_schema: z.record(z.string(), z.unknown()).openapi({ description: "JSON Schema of `input`" }),
    pricing_tiers: z
      .array(Tier)
      .min(1)
      .nullable()
      .openapi({ description: "Null for models priced by token or by GPU second" }),
    unit: z.enum(priceUnitNames).openapi("PriceUnit").optional().openapi({
      description:
        "What the prices of `pricing_tiers` are multiplied by; absent if they are for a generation. The hold is for what the input asks for, the charge for what was delivered",
    }),
    ...tokenPrices,
    long_context: z
      .array(z.object({ above: z.int(), ...tokenPrices }).openapi("LongContextPrices"))
      .nullable()
      .openapi({
        description:
          "Prices of whole requests with more than `above` input tokens, cached and written ones counted in; the last entry that applies counts. Null if there are none",
      }),
    service_tiers: z.record(z.string(), z.number()).nullable().openapi({
      description:
        "What prices are multiplied by, by the service tier that served the request; others cost the default price. Null if there are none",
    }),
    implicit_cache_writes: z.boolean().nullable().openapi({
      description: "Whether prompts are written to a cache without being marked; otherwise null",
    }),
    context_length: z.int().nullable(),
    max_output_tokens: z.int().nullable(),
    supports_vision: z.boolean(),
    supports_tools: z.boolean(),
    supports_structured_output: z.boolean(),
    supports_reasoning: z.boolean(),
    typical_seconds: z.number().nullable().openapi({
      description:
        "The median time of its latest 50 generations that succeeded, from their start to their end, updated every five minutes. Null without any, and for chats",
    }),
    gpu_price_per_second: z
      .number()
      .optional()
      .openapi({ description: "EUR per GPU second; only for models that run on workers" }),
  })
  .openapi("Model", { example: exampleModel });

export const ModelList = z.object({ object: z.literal("list"), data: z.array(Model) }).openapi("ModelList");

export const PricingRequest = z.strictObject({ input }).openapi("PricingRequest");

export const Estimate = z
  .object({
    estimated_cost: euros.openapi({ description: "Amount in EUR that a generation with this input would hold" }),
    currency,
    quote: orNull(
      z
        .object({
          id: z.string().openapi({ description: "What you send as `quote`", example: "eyJlIj.k3A0Q" }),
          expires_at: time,
        })
        .openapi("Quote"),
    ).openapi({ description: "Holds the price; null for a text model" }),
  })
  .openapi("Estimate");
