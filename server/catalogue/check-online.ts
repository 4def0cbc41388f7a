import { createConcurrencyLimit } from "../lib/concurrency-limit";
import { createJsonCodec } from "../lib/json/codec";
import { createSafeFetch } from "../lib/safe-fetch";
import { ApiError } from "../providers/http/call-api";
import type { Provider, ProviderIo } from "../providers/provider";
import { providers } from "../providers/registry";
import type { Model, ProviderKind, Route } from "./model";

const TIMEOUT_MS = 15_000;
const MAX_CONCURRENT = 8;

/** Whether a provider knows the hub's key and an upstream model. */
export interface OnlineCheck {
  provider: string;
  /** Null if the kind needs none. */
  upstream_model: string | null;
  /** Ids of the models that use it. */
  models: string[];
  result: "ok" | "failed" | "not_checked";
  /** A sentence on a failure. */
  problem: string | null;
}

interface CheckOptions {
  /** `host:port` pairs exempt from the public-address rule. */
  allowHosts: string[];
  kinds?: Partial<Record<ProviderKind, Provider>>;
  timeoutMs?: number;
}

/**
 * Asks each provider whether it knows the hub's key and the upstream models of its routes, each once and free of charge.
 * Returns the results in the order of the catalogue; routes of the built-in kinds have none.
 */
export async function checkOnline(
  models: Model[],
  { allowHosts, kinds = providers, timeoutMs = TIMEOUT_MS }: CheckOptions,
): Promise<OnlineCheck[]> {
  const io = { fetch: createSafeFetch({ allowHosts }), json: createJsonCodec() };
  const limit = createConcurrencyLimit(MAX_CONCURRENT);
  const check = async ({ route, models }: Target): Promise<OnlineCheck> => {
    const { provider, upstreamModel } = route;
    const target = { provider: provider.id, upstream_model: upstreamModel, models };
    const kind = kinds[provider.kind];
    if (provider.missing.length > 0)
      return { ...target, result: "failed", problem: `${provider.missing.join(", ")} is not set.` };
    if (!kind?.check) return { ...target, result: "not_checked", problem: null };
    const problem = await limit.run(() => askProvider(kind, route, io, timeoutMs));
    return { ...target, result: problem === null ? "ok" : "failed", problem };
  };
  return Promise.all(listTargets(models).map(check));
}

interface Target {
  route: Route;
  models: string[];
}

/** Returns each upstream model of each provider once, those of `when` included. */
function listTargets(models: Model[]): Target[] {
  const targets = new Map<string, Target>();
  for (const { id, routes } of models) {
    for (const route of routes.filter(({ provider: { kind } }) => kind !== "sandbox" && kind !== "worker")) {
      const others = route.when.flatMap(({ upstreamModel }) => upstreamModel ?? []);
      for (const upstreamModel of [route.upstreamModel, ...others]) {
        const key = JSON.stringify([route.provider.id, upstreamModel]);
        const target = targets.get(key) ?? { route: { ...route, upstreamModel }, models: [] };
        targets.set(key, { ...target, models: [...new Set([...target.models, id])] });
      }
    }
  }
  return [...targets.values()];
}

async function askProvider(
  provider: Provider,
  route: Route,
  io: Pick<ProviderIo, "fetch" | "json">,
  timeoutMs: number,
): Promise<string | null> {
  const signal = AbortSignal.timeout(timeoutMs);
  const unused = () => Promise.reject(new Error("a check has no inputs and outputs"));
  try {
    const whole = {
      ...io,
      signal,
      now: () => new Date(),
      read: unused,
      readFile: unused,
      // A check reads one response at a time, and each has its own bound.
      reserveMemory: () => Promise.resolve(),
    };
    return await provider.check!(route, whole);
  } catch (error) {
    if (signal.aborted) return "The provider did not respond in time.";
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}
