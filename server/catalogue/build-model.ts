import { providers } from "../providers/registry";
import { completeSchema, getDefaults } from "./parameters-schema";
import type { Model, Pricing, ProviderSettings, Route } from "./model";
import type { ModelEntry } from "./shape";

const DEFAULT_TIMEOUT_SECONDS = 600;

/** Returns a model built from a checked entry. Routes of providers that are not in `settings` are left out. */
export function buildModel(entry: ModelEntry, settings: Map<string, ProviderSettings>): Model {
  const parametersSchema = completeSchema(entry.parameters_schema);
  const defaults = getDefaults(parametersSchema);
  const supports = new Set(entry.supports);
  return {
    id: entry.id,
    name: entry.name ?? entry.id,
    description: entry.description,
    membersOnly: entry.members_only,
    isLlm: entry.llm !== undefined,
    inputModalities: entry.input_modalities,
    outputModalities: entry.output_modalities,
    parametersSchema,
    pricing: pricingOf(entry),
    supports: {
      vision: supports.has("vision"),
      tools: supports.has("tools"),
      structuredOutput: supports.has("structured_output"),
      reasoning: supports.has("reasoning"),
    },
    // A GPU job must not run longer than the time that its estimate covers.
    timeoutSeconds: entry.timeout_seconds ?? entry.gpu?.max_seconds ?? DEFAULT_TIMEOUT_SECONDS,
    routes: entry.routes.flatMap((route) => {
      const provider = settings.get(route.provider);
      return provider ? [buildRoute(route, provider, defaults)] : [];
    }),
    routing: "order",
  };
}

function buildRoute(
  { upstream_model, rename, accepts, refuse }: ModelEntry["routes"][number],
  provider: ProviderSettings,
  defaults: Record<string, unknown>,
): Route {
  const upstreamModel = upstream_model ?? null;
  const id = upstreamModel === null ? provider.id : `${provider.id}:${upstreamModel}`;
  return {
    ...{ id, provider, upstreamModel, when: [], rename, values: {}, as: {}, set: {}, accepts, defaults, refuse },
    ...{ inputs: null, priceUsd: null, retiresAt: null, workflow: null },
    retryStarted: providers[provider.kind]?.retryStarted ?? 0,
  };
}

function pricingOf({ llm, gpu, pricing_tiers }: ModelEntry): Pricing {
  if (llm)
    return {
      by: "token",
      inputPerMillion: llm.input_cost_per_million,
      outputPerMillion: llm.output_cost_per_million,
      contextLength: llm.context_length,
      maxOutputTokens: llm.max_output_tokens,
    };
  if (gpu) return { by: "gpu-second", pricePerSecond: gpu.price_per_second, maxSeconds: gpu.max_seconds };
  const tiers = pricing_tiers!.map(({ match, price_usd }) => ({ match, priceUsd: price_usd }));
  return { by: "tier", tiers, unit: null, quantity: null };
}
