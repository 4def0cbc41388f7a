import type { Nano } from "../lib/money";
import { buildPricing } from "./build-pricing";
import { buildRoute } from "./build-route";
import type { Model, ProviderSettings } from "./model";
import { completeSchema } from "./parameters-schema";
import type { ModelEntry } from "./shape";
import type { WorkflowReader } from "./workflow-reader";

const DEFAULT_TIMEOUT_SECONDS = 600;

interface ModelContext {
  /** By id. */
  providers: ReadonlyMap<string, ProviderSettings>;
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
    routes: entry.routes.map((route) => {
      const provider = providers.get(route.provider)!;
      return buildRoute(route, { provider, parametersSchema, readWorkflow });
    }),
    routing: entry.routing,
  };
}
