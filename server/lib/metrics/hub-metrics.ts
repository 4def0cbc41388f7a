import { createRegistry, type Registry } from "./registry";

const REQUEST_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
const JOB_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 14_400];
const SHORT_SECONDS = [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const STORAGE_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/**
 * Creates the metrics that a process counts in its memory (docs/metrics.md). Their labels have known sets of values: the
 * code that counts replaces an unknown one with `_OTHER`, because clients must not be able to create series.
 */
export function createHubMetrics() {
  const registry = createRegistry();
  return {
    ...declareRequests(registry),
    ...declareGenerations(registry),
    ...declareProviders(registry),
    ...declareBackground(registry),
    registry,
  };
}

export type HubMetrics = ReturnType<typeof createHubMetrics>;

/** Returns the series of a metric with one label. */
const listSeries = <Name extends string>(name: Name, values: string[]) =>
  values.map((value) => ({ [name]: value }) as Record<Name, string>);

function declareRequests({ counter, histogram }: Registry) {
  const labels = ["operation", "code"] as const;
  return {
    httpRequests: counter("hub_http_requests_total", "HTTP requests by operation and status.", labels),
    httpRequestDuration: histogram(
      "hub_http_request_duration_seconds",
      "Time from the head of a request to the end of its response.",
      labels,
      REQUEST_SECONDS,
    ),
    rejections: counter("hub_refusals_total", "Requests that were answered with an error, by its code.", [
      "code",
      "error_type",
    ]),
    authFailures: counter(
      "hub_auth_failures_total",
      "Requests and sign-ins without a valid credential.",
      ["via"],
      listSeries("via", ["api", "console"]),
    ),
  };
}

function declareGenerations({ counter, histogram }: Registry) {
  const model = ["model"] as const;
  return {
    generations: counter("hub_generations_total", "Generations that ended.", ["model", "outcome", "error_type"]),
    generationWait: histogram(
      "hub_generation_wait_seconds",
      "Time from accepting a generation to its start.",
      model,
      JOB_SECONDS,
    ),
    generationRun: histogram(
      "hub_generation_run_seconds",
      "Time from the start of a generation to its end.",
      model,
      JOB_SECONDS,
    ),
    billed: counter("hub_billed_euros_total", "What customers were charged.", model),
    excess: counter("hub_excess_euros_total", "Cost beyond the estimate, which nobody is charged for.", model),
    chatTokens: counter("hub_chat_tokens_total", "Tokens of chats and embeddings.", ["model", "direction", "class"]),
    mediaUnits: counter("hub_media_units_total", "Images, seconds and GPU seconds that were delivered.", [
      "model",
      "unit",
    ]),
    workerLapses: counter("hub_worker_lapses_total", "Leases of workers that expired.", model),
  };
}

function declareProviders({ counter, histogram }: Registry) {
  const labels = ["provider", "model", "error_type"] as const;
  return {
    providerAttempts: counter("hub_provider_attempts_total", "Attempts at providers that ended.", labels),
    providerLatency: histogram(
      "hub_provider_latency_seconds",
      "Time from the submit of an attempt to its end.",
      labels,
      JOB_SECONDS,
    ),
    providerCost: counter("hub_provider_cost_euros_total", "What providers charge for attempts.", [
      "provider",
      "model",
    ]),
  };
}

function declareBackground({ counter, histogram }: Registry) {
  return {
    webhookDeliveries: counter(
      "hub_webhook_deliveries_total",
      "Attempts to deliver webhooks.",
      ["outcome"],
      listSeries("outcome", ["succeeded", "retry", "failed"]),
    ),
    payments: counter(
      "hub_payments_total",
      "Payments that reached an end, by their state.",
      ["outcome"],
      listSeries("outcome", ["paid", "failed", "expired"]),
    ),
    adminActions: counter("hub_admin_actions_total", "Changes by operators in the console and the management API.", [
      "action",
    ]),
    moneyWait: histogram(
      "hub_money_lane_wait_seconds",
      "Time that a batch of ledger writes waits for its turn.",
      [],
      SHORT_SECONDS,
    ),
    engineRound: histogram(
      "hub_engine_round_seconds",
      "Time of one tick of the embedded job engine.",
      [],
      SHORT_SECONDS,
    ),
    storage: histogram("hub_storage_seconds", "Time of an access to the file storage.", ["verb"], STORAGE_SECONDS),
    storageErrors: counter(
      "hub_storage_errors_total",
      "Accesses to the file storage that failed.",
      ["verb"],
      listSeries("verb", ["checkRoom", "put", "open", "remove"]),
    ),
  };
}
