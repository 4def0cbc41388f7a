import { sumTokens, type Tokens } from "../../catalogue/token-classes";
import type { HubParts } from "../../context";
import type { ProviderKind, Route } from "../../catalogue/model";
import { type Nano, toEuros } from "../../lib/money";
import { runInSpan, type SpanAttributes } from "../../lib/tracing/tracing";

/** The parts of the hub that metrics use. */
export type MetricsHub = Pick<HubParts, "catalogue" | "metrics" | "tracing">;

/** OpenTelemetry's names of operations; pictures, sound and video have none of their own. */
type GenAiOperation = "chat" | "embeddings" | "generate_content";

interface GenAiWork {
  operation: GenAiOperation;
  generation: { id: string; model: string };
  stream?: boolean;
}

/** Runs the work of a generation in a span with the attributes of OpenTelemetry's GenAI conventions. */
export const runInGenAiSpan = <T>(
  hub: MetricsHub,
  { operation, generation, stream }: GenAiWork,
  work: () => Promise<T>,
) =>
  runInSpan(
    hub.tracing,
    () => ({
      name: `${operation} ${generation.model}`,
      kind: "client",
      attributes: {
        "gen_ai.operation.name": operation,
        "gen_ai.request.model": generation.model,
        "gen_ai.request.stream": stream,
        "gen_ai.output.type": findOutputType(hub, operation, generation.model),
        "hub.generation_id": generation.id,
      },
    }),
    work,
  );

/** Returns the convention's name of what the model makes; undefined for video and 3D, which have none. */
function findOutputType({ catalogue }: MetricsHub, operation: GenAiOperation, model: string): string | undefined {
  if (operation !== "generate_content") return operation === "chat" ? "text" : undefined;
  const modality = catalogue.get(model)?.outputModalities[0] ?? "";
  return { image: "image", audio: "speech", text: "text" }[modality];
}

/** The conventions' names of providers, where they differ from the kind. */
const providerNames: Partial<Record<ProviderKind, string>> = { gemini: "gcp.gemini" };

/** Returns the attributes of a provider. */
export const describeProvider = ({ id, provider, upstreamModel }: Route): SpanAttributes => ({
  "gen_ai.provider.name": providerNames[provider.kind] ?? provider.kind,
  "gen_ai.response.model": upstreamModel ?? undefined,
  "hub.provider": provider.id,
  "hub.route": id,
});

/** Runs one request to a provider in a span, and names the provider in the parent span as the last one that was asked. */
export function runInProviderSpan<T>(hub: MetricsHub, name: string, route: Route, work: () => Promise<T>): Promise<T> {
  const { tracing } = hub;
  if (!tracing) return work();
  const attributes = describeProvider(route);
  tracing.annotate(attributes);
  return tracing.run({ name: `provider ${name}`, kind: "client", attributes }, work);
}

interface Result {
  upstreamStatus?: number;
  errorType?: string;
}

/** Records a provider's response in the span of the request. */
export function annotateAnswer({ tracing }: MetricsHub, { upstreamStatus, errorType = "" }: Result): void {
  if (!tracing) return;
  tracing.annotate({ "http.response.status_code": upstreamStatus });
  tracing.setErrorType(errorType);
}

interface Charge {
  /** What the provider's work costs. */
  cost?: Nano | null;
  tokens?: Tokens;
  errorType?: string;
}

/** Records what a generation used and cost in the span of its work. */
export function annotateCharge({ tracing }: MetricsHub, { cost, tokens, errorType = "" }: Charge): void {
  if (!tracing) return;
  tracing.annotate({
    "gen_ai.usage.input_tokens": tokens && sumTokens(tokens, "input"),
    "gen_ai.usage.output_tokens": tokens && sumTokens(tokens, "output"),
    "gen_ai.usage.cache_read.input_tokens": tokens?.cached_input,
    "gen_ai.usage.cache_creation.input_tokens": tokens && (tokens.cache_write ?? 0) + (tokens.cache_write_long ?? 0),
    "gen_ai.usage.reasoning.output_tokens": tokens?.reasoning,
    // The conventions have no attribute for money yet.
    "hub.cost.eur": cost === undefined || cost === null ? undefined : toEuros(cost),
  });
  tracing.setErrorType(errorType);
}
