import { mulCeil, type Nano } from "../lib/money";
import { buildPriceList } from "./build-price-list";
import { buildRoutes } from "./build-route";
import type { JsonSchema, Model, ProviderSettings } from "./model";
import { completeSchema } from "./subschemas";
import { priceUnits } from "./price-units";
import type { PictureSize, Pricing, Quantity, Tier, UnitPrice } from "./pricing";
import type { ModelEntry } from "./shape";
import type { TierEntry, UnitPricingEntry } from "./shape-price";
import { readValueKey } from "./value-keys";
import type { WorkflowReader } from "./workflow-reader";

const DEFAULT_TIMEOUT_SECONDS = 600;

interface ModelContext {
  /** With each of their keys, by their ids in the catalogue. */
  providers: ReadonlyMap<string, ProviderSettings[]>;
  margin: Nano;
  readWorkflow: WorkflowReader;
}

/** Returns a model built from a checked entry. */
export function buildModel(entry: ModelEntry, { providers, margin, readWorkflow }: ModelContext): Model {
  const parametersSchema = completeSchema(entry.parameters_schema);
  const supports = new Set(entry.supports);
  return {
    id: entry.id,
    name: entry.name ?? entry.id,
    description: entry.description,
    membersOnly: entry.members_only,
    marksOutputs: entry.mark_outputs,
    isLlm: entry.llm !== undefined,
    inputModalities: entry.input_modalities,
    outputModalities: entry.output_modalities,
    parametersSchema,
    pricing: buildPricing(entry, parametersSchema, margin),
    supports: {
      vision: supports.has("vision"),
      tools: supports.has("tools"),
      structuredOutput: supports.has("structured_output"),
      reasoning: supports.has("reasoning"),
    },
    // A GPU job must not run longer than the time that its estimate covers.
    timeoutSeconds: entry.timeout_seconds ?? entry.gpu?.max_seconds ?? DEFAULT_TIMEOUT_SECONDS,
    routes: entry.routes.flatMap((route, index) =>
      buildRoutes(route, { entry: index, providers: providers.get(route.provider)!, parametersSchema, readWorkflow }),
    ),
    routing: entry.routing,
  };
}

/** Returns the price of a checked model. The margin multiplies prices in USD, rounded up to a nano-dollar. */
function buildPricing(entry: ModelEntry, { properties }: JsonSchema, margin: Nano): Pricing {
  const { llm, gpu, pricing_tiers, pricing } = entry;
  if (llm)
    return {
      by: "token",
      ...buildPriceList(llm),
      writesImplicitly: llm.implicit_cache_writes,
      contextLength: llm.context_length,
      maxOutputTokens: llm.max_output_tokens,
    };
  if (gpu) return { by: "gpu-second", pricePerSecond: gpu.price_per_second, maxSeconds: gpu.max_seconds };
  if (!pricing) {
    const tiers = pricing_tiers!.map((tier) => buildTier(tier, margin));
    return { by: "tier", tiers, unit: null, quantity: null };
  }
  const tiers = pricing.tiers.map((tier) => buildTier(tier, margin));
  return { by: "tier", tiers, unit: pricing.per, quantity: buildQuantity(pricing, properties) };
}

function buildTier({ match, price_usd: first, next_price_usd: next = first }: TierEntry, margin: Nano): Tier {
  const cost: UnitPrice = { first, next };
  return { match, cost, price: { first: mulCeil(first, margin), next: mulCeil(next, margin) } };
}

function buildQuantity(pricing: UnitPricingEntry, properties: JsonSchema["properties"]): Quantity {
  const { requested, size } = priceUnits[pricing.per];
  const { times, inputs = {} } = pricing;
  switch (requested.from) {
    case "number":
      return times === undefined ? { from: "max", count: 1 } : { from: "number", parameter: times };
    case "characters":
      return { from: "characters", parameter: times!, size };
    case "max":
      return { from: "max", count: pricing[requested.setting]! / size };
    case "megapixels":
      return { from: "megapixels", size: buildSize(pricing, properties), inputs, times: times ?? null };
  }
}

function buildSize({ width, height, size }: UnitPricingEntry, properties: JsonSchema["properties"]): PictureSize {
  if (!size) return { width: width!, height: height! };
  const [[parameter, mapping]] = Object.entries(size) as [[string, Record<string, number>]];
  const toEntry = ([key, count]: [string, number]) =>
    [JSON.stringify(readValueKey(properties[parameter]!, key)), count] as const;
  return { parameter, megapixels: new Map(Object.entries(mapping).map(toEntry)) };
}
