import { z } from "zod";
import { type Nano, parseDecimal, toEuros } from "../lib/money";
import { providerKinds } from "./model";

const MAX_PRICE = 1_000;
const DAY_SECONDS = 86_400;

const Id = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._:-]{0,127}$/, "must match [a-z0-9][a-z0-9._:-]* and have at most 128 characters");
/** Name of a parameter, of the model or the upstream. */
const Name = z
  .string()
  .regex(/^[A-Za-z][\w.-]{0,127}$/, "must start with a letter and contain only letters, digits, _ . and -");
const text = (maxLength: number) => z.string().min(1).max(maxLength);
const count = (max: number) => z.int().min(1).max(max);
const modalities = z
  .array(z.string().regex(/^[a-z][a-z0-9_-]{0,31}$/, "must be a word such as text, image, audio, video or file"))
  .min(1)
  .default(["text"]);

const priceMessage = `must be a decimal from 0 to ${MAX_PRICE} with at most nine decimal places`;

/** Returns a price in nano-euros, or null. Up to 1,000 with nine decimal places, a double is converted without loss. */
function readPrice(value: number | string): Nano | null {
  try {
    const nano = parseDecimal(value);
    const isExact = typeof value === "string" || toEuros(nano) === value;
    return isExact && nano >= 0n && toEuros(nano) <= MAX_PRICE ? nano : null;
  } catch {
    return null;
  }
}

const Price = z.union([z.number(), z.string()], { error: priceMessage }).transform((value, context): Nano => {
  const nano = readPrice(value);
  if (nano !== null) return nano;
  context.addIssue(priceMessage);
  return z.NEVER;
});

const Scalar = z.union([z.string(), z.number(), z.boolean(), z.null()], {
  error: "must be a string, a number, true, false or null",
});

export const ProviderShape = z.strictObject({
  id: Id,
  kind: z.enum(providerKinds),
  base_url: text(2_000).optional(),
  api_key: text(10_000).optional(),
});

const Route = z.strictObject({
  provider: Id,
  upstream_model: text(500)
    .regex(/^(?!.*\$\{)/, "variables are supported only in providers")
    .optional(),
  rename: z.record(z.string(), Name).default({}),
  accepts: z.record(z.string(), z.array(z.unknown())).default({}),
  refuse: z.array(text(128)).default([]),
});

const Model = z.strictObject({
  id: Id,
  name: text(200).optional(),
  description: text(5_000).nullable().default(null),
  members_only: z.boolean().default(false),
  input_modalities: modalities,
  output_modalities: modalities,
  llm: z
    .strictObject({
      input_cost_per_million: Price,
      output_cost_per_million: Price,
      context_length: count(1_000_000_000).nullable().default(null),
      max_output_tokens: count(1_000_000_000),
    })
    .optional(),
  gpu: z.strictObject({ price_per_second: Price, max_seconds: count(DAY_SECONDS) }).optional(),
  pricing_tiers: z
    .array(z.strictObject({ match: z.record(z.string(), Scalar), price_usd: Price }))
    .min(1)
    .optional(),
  supports: z.array(z.enum(["vision", "tools", "structured_output", "reasoning"])).default([]),
  parameters_schema: z.record(z.string(), z.unknown()).optional(),
  timeout_seconds: count(DAY_SECONDS).optional(),
  routes: z.array(Route).default([]),
});

/** Schema of a catalogue in YAML (docs/catalogue.md). */
export const CatalogueShape = z.strictObject({
  providers: z.array(ProviderShape).default([]),
  models: z.array(Model).default([]),
});

export type ProviderEntry = z.output<typeof ProviderShape>;
export type ModelEntry = z.output<typeof Model>;
