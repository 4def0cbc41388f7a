import { tokenClasses, tokenClassNames, type Tokens } from "../../catalogue/token-classes";
import type { HubParts } from "../../context";
import type { ErrorType } from "../../lib/metrics/error-types";
import { OTHER } from "../../lib/metrics/registry";
import { type Nano, toEuros } from "../../lib/money";
import { classifyAttempt, classifyGeneration, type FailedWork } from "./error-type";

type Counting = Pick<HubParts, "catalogue" | "metrics">;

/** A generation as it ended; times in seconds, null if it never started. */
export interface EndedGeneration {
  model: string;
  status: string;
  run_seconds: number | null;
  billed_cost: Nano | null;
  excess_cost: Nano;
}

/** Counts a generation that has just ended, and what it was charged. */
export function recordGenerationEnd(
  hub: Counting,
  { model: id, status, run_seconds, billed_cost, excess_cost }: EndedGeneration,
  failed: FailedWork & { errorType?: ErrorType } = {},
): void {
  const { metrics } = hub;
  const model = modelLabel(hub, id);
  metrics.generations.add({ model, outcome: status, error_type: typeOfEnd(status, failed) });
  if (run_seconds !== null) metrics.generationRun.observe({ model }, run_seconds);
  if (billed_cost) metrics.billed.add({ model }, toEuros(billed_cost));
  // Adds 0 too: without an earlier value, nobody could see the first increase of the series.
  metrics.excess.add({ model }, toEuros(excess_cost));
}

function typeOfEnd(status: string, failed: FailedWork & { errorType?: ErrorType }): ErrorType | "" {
  if (status === "succeeded") return "";
  return status === "canceled" ? "caller_canceled" : (failed.errorType ?? classifyGeneration(failed));
}

/** Records how long a generation waited for its start. */
export function recordGenerationStart(hub: Counting, model: string, waitSeconds: number): void {
  hub.metrics.generationWait.observe({ model: modelLabel(hub, model) }, Math.max(0, waitSeconds));
}

/** An attempt as it ended. */
export interface EndedAttempt {
  model: string;
  route: string;
  outcome: string;
  seconds: number;
  /** In nano-euros; null if it is not known. */
  cost: Nano | null;
}

/** Counts an attempt at a provider that has just ended. */
export function recordAttemptEnd(hub: Counting, attempt: EndedAttempt, failed: FailedWork = {}): void {
  const { metrics } = hub;
  const model = modelLabel(hub, attempt.model);
  const provider = providerLabel(hub, attempt.model, attempt.route);
  const labels = { provider, model, error_type: typeOfAttempt(attempt, failed) };
  metrics.providerAttempts.add(labels);
  metrics.providerLatency.observe(labels, Math.max(0, attempt.seconds));
  if (attempt.cost) metrics.providerCost.add({ provider, model }, toEuros(attempt.cost));
}

function typeOfAttempt({ route, outcome }: EndedAttempt, failed: FailedWork): ErrorType | "" {
  if (outcome === "succeeded") return "";
  if (outcome === "canceled") return "caller_canceled";
  return route === "worker" && outcome === "lost" ? "worker_lapsed" : classifyAttempt(failed);
}

/** What a generation delivered. */
export interface DeliveredUnits {
  images?: number;
  /** Seconds of audio or video. */
  seconds?: number;
  gpuSeconds?: number;
  tokens?: Tokens;
}

/** Counts what a generation delivered. */
export function recordUnits(hub: Counting, modelId: string, units: DeliveredUnits): void {
  const { mediaUnits, chatTokens } = hub.metrics;
  const model = modelLabel(hub, modelId);
  if (units.images) mediaUnits.add({ model, unit: "image" }, units.images);
  if (units.seconds) mediaUnits.add({ model, unit: "second" }, units.seconds);
  if (units.gpuSeconds) mediaUnits.add({ model, unit: "gpu_second" }, units.gpuSeconds);
  if (!units.tokens) return;
  for (const name of tokenClassNames) {
    const count = units.tokens[name];
    if (count) chatTokens.add({ model, direction: tokenClasses[name].within, class: name }, count);
  }
}

type Offer = Pick<HubParts, "catalogue">;

/** Returns the label of a model: its id only if it is offered, so that callers cannot create series. */
export const modelLabel = ({ catalogue }: Offer, id: string): string => (catalogue.has(id) ? id : OTHER);

/** Returns the label of the provider that a route of a model belongs to: the provider's id in the catalogue. */
function providerLabel({ catalogue }: Offer, model: string, route: string): string {
  if (route === "worker") return "worker";
  return catalogue.get(model)?.routes.find(({ id }) => id === route)?.provider.id ?? OTHER;
}
