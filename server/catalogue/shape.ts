import { z } from "zod";
import { routings } from "./model";
import { providerKinds } from "./provider-kinds";
import { Tier, UnitPricing } from "./shape-price";
import { Route } from "./shape-route";
import { TokenPriceList } from "./shape-tokens";
import { count, DAY_SECONDS, DayLimit, Id, Price, text, Weight } from "./shape-values";
import { LONE_VARIABLE } from "./substitute";

const modalities = z
  .array(z.string().regex(/^[a-z][a-z0-9_-]{0,31}$/, "must be a word such as text, image, audio, video or file"))
  .min(1)
  .default(["text"]);

const limits = {
  max_in_flight: count(10_000).optional(),
  per_minute: count(100_000).optional(),
  spend_limit_usd: DayLimit.optional(),
};

const MAX_KEYS = 100;
const KeyVariable = z.string().regex(LONE_VARIABLE, "must be one variable without a default, such as ${FAL_KEY_2}");
const Key = z.strictObject({
  key: KeyVariable,
  weight: Weight.default(1),
  retired: z.boolean().default(false),
  ...limits,
});

export const ProviderShape = z.strictObject({
  id: Id,
  kind: z.enum(providerKinds),
  base_url: text(2_000).optional(),
  api_key: text(10_000).optional(),
  api_keys: z
    .array(z.preprocess((value) => (typeof value === "string" ? { key: value } : value), Key))
    .min(1)
    .max(MAX_KEYS)
    .optional(),
  ...limits,
});

const Model = z.strictObject({
  id: Id,
  name: text(200).optional(),
  description: text(5_000).nullable().default(null),
  members_only: z.boolean().default(false),
  mark_outputs: z.boolean().default(true),
  input_modalities: modalities,
  output_modalities: modalities,
  llm: TokenPriceList.extend({
    implicit_cache_writes: z.boolean().default(false),
    context_length: count(1_000_000_000).nullable().default(null),
    max_output_tokens: count(1_000_000_000),
  }).optional(),
  gpu: z.strictObject({ price_per_second: Price, max_seconds: count(DAY_SECONDS) }).optional(),
  pricing_tiers: z.array(Tier).min(1).optional(),
  pricing: UnitPricing.optional(),
  supports: z.array(z.enum(["vision", "tools", "structured_output", "reasoning"])).default([]),
  parameters_schema: z.record(z.string(), z.unknown()).optional(),
  timeout_seconds: count(DAY_SECONDS).optional(),
  routing: z.enum(routings).default("order"),
  routes: z.array(Route).default([]),
});

/** Schema of a catalogue in YAML (docs/catalogue.md). */
export const CatalogueShape = z.strictObject({
  margin: Price.optional(),
  providers: z.array(ProviderShape).default([]),
  models: z.array(Model).default([]),
});

export type ProviderEntry = z.output<typeof ProviderShape>;
export type CatalogueEntries = z.output<typeof CatalogueShape>;
export type ModelEntry = z.output<typeof Model>;
