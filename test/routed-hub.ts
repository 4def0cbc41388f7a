import type { Catalogue, ProviderSettings, Route, Routing } from "../server/catalogue/model";
import type { Hub } from "../server/domain/hub";
import { createAccount } from "../server/domain/people/create-account";
import { insertWithHold } from "../server/domain/generations/intake/insert-with-hold";
import { creditAccount } from "../server/domain/ledger/credit";
import { newId } from "../server/lib/id";
import type { FailedJob, Job, JobState } from "../server/providers/job";
import type { Provider } from "../server/providers/provider";
import { catalogueWith, modelOf } from "./catalogue";
import { queuedGeneration } from "./generation-fixture";
import { buildProvider } from "./providers/job";

type Limits = Partial<
  Pick<
    ProviderSettings,
    | "catalogueId"
    | "apiKey"
    | "keyVariable"
    | "keyWeight"
    | "isRetired"
    | "maxInFlight"
    | "perMinute"
    | "spendLimitPerDay"
    | "missing"
  >
>;

/** A route of the model `routed`: the id of its provider, and what differs from a route without limits. */
export type RouteOptions = { provider: string; limits?: Limits } & Partial<Omit<Route, "provider">>;

/** Returns a catalogue with the model `routed`, whose providers are of kind `replicate`. */
export function routedCatalogue(routes: RouteOptions[], routing: Routing = "order"): Catalogue {
  const model = modelOf(`
  - id: routed
    output_modalities: [image]
    parameters_schema: { type: object, properties: { prompt: { type: string }, size: { type: string } } }
    pricing_tiers: [{ match: {}, price_usd: 0.01 }]
    routes: [{ provider: first }]`);
  const template = model.routes[0]!;
  const built = routes.map(({ provider: id, limits, ...route }, entry) => {
    const provider = { ...buildProvider("replicate", "http://127.0.0.1:9"), id, catalogueId: id, ...limits };
    return { ...template, id: `${id}:m`, entry, upstreamModel: "m", retryStarted: 0, ...route, provider };
  });
  return catalogueWith([{ ...model, routes: built, routing }]);
}

/** Returns the route of the model `routed` at a provider. */
export const routeAt = (hub: Hub, provider: string): Route =>
  hub.catalogue.get("routed")!.routes.find((route) => route.provider.id === provider)!;

/** An upstream in memory: what it was sent, and its answers. */
export interface Upstream {
  provider: Provider;
  submits: Job[];
  /** Answers a submit; by default the job is pending. */
  respond: (job: Job) => JobState | Promise<JobState>;
  /** Answers a poll; by default the job is still pending. */
  respondToPoll: (job: Job) => JobState;
}

export const pending = (job: Job): JobState => ({
  state: "pending",
  upstreamId: `job-${job.attemptId}`,
  progress: null,
  pollAfterSeconds: 1,
});

/** Creates an upstream that takes every job and never ends one, unless the test sets other answers. */
export function createUpstream(): Upstream {
  const upstream: Upstream = {
    submits: [],
    respond: pending,
    respondToPoll: pending,
    provider: {
      inputModes: ["read"],
      submit: async (job) => {
        upstream.submits.push(job);
        return upstream.respond(job);
      },
      poll: async (job) => upstream.respondToPoll(job),
      recover: async () => "unknown",
    },
  };
  return upstream;
}

/** Returns the failure of a submit that certainly began nothing. */
export const refusedBecause = (cause: FailedJob["cause"], more: Partial<FailedJob> = {}): FailedJob => ({
  state: "failed",
  started: "no",
  cause,
  error: { code: "provider_refused", message: `refused: ${cause}`, retryable: true },
  ...more,
});

/** Creates an account that can pay for many generations. */
export async function createPayer(hub: Hub): Promise<number> {
  const id = await createAccount(hub, { email: `${newId()}@example.org` });
  await creditAccount(hub, id, { amount: 1_000_000_000_000n });
  return id;
}

/** Inserts a queued generation of the model `routed` and returns its id. */
export async function queueRouted(hub: Hub, account: number, input: Record<string, unknown> = {}): Promise<string> {
  const price = { by: "tier", match: {}, price_usd: 0.01, eur_per_usd: 1 };
  const generation = {
    ...queuedGeneration(account, 10_000_000n),
    model: "routed",
    provider: "replicate",
    input,
    price,
    created_at: hub.now(),
    timeout_seconds: 600,
  };
  await insertWithHold(hub, generation);
  return generation.id;
}

export interface StoredAttempt {
  n: number;
  route: string;
  outcome: string | null;
  reserved: boolean;
  skipped: string[];
}

/** Returns a generation's attempts, with the reasons of the routes that were passed over. */
export const listStoredAttempts = (hub: Hub, id: string): Promise<StoredAttempt[]> =>
  hub.db.query<StoredAttempt>(
    `SELECT n, route, outcome, reserved,
            coalesce((SELECT array_agg(item ->> 'skipped') FROM jsonb_array_elements(passed_over) item), '{}') AS skipped
     FROM attempt WHERE generation_id = $1 ORDER BY n`,
    [id],
  );
