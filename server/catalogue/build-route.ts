import { providers as providerOf } from "../providers/registry";
import { buildPriceList } from "./build-price-list";
import type { Conversion, JsonSchema, ProviderKind, ProviderSettings, Route, Workflow } from "./model";
import { getDefaults } from "./subschemas";
import { CONVERSION, PLACE, type RouteEntry } from "./shape-route";
import { readValueKey } from "./value-keys";
import { resolveWorkflow, type WorkflowReader } from "./workflow-reader";

interface RouteContext {
  /** Its place among the routes of the model. */
  entry: number;
  /** The provider with each of its keys. */
  providers: ProviderSettings[];
  parametersSchema: JsonSchema;
  readWorkflow: WorkflowReader;
}

/** Returns the routes that a checked entry describes: one for each key of its provider. */
export function buildRoutes(route: RouteEntry, { providers, ...context }: RouteContext): Route[] {
  const shared = buildShared(route, providers[0]!.kind, context);
  return providers.map((provider) => ({ ...shared, id: nameRoute(provider.id, shared.upstreamModel), provider }));
}

/** Returns the id of a route by the id of its provider's settings. */
export const nameRoute = (provider: string, upstreamModel: string | null): string =>
  upstreamModel === null ? provider : `${provider}:${upstreamModel}`;

function buildShared(
  entry: RouteEntry,
  kind: ProviderKind,
  { entry: place, parametersSchema, readWorkflow }: Omit<RouteContext, "providers">,
): Omit<Route, "id" | "provider"> {
  const { upstream_model: upstreamModel = null, rename, set, refuse, inputs = null } = entry;
  const values = mapEntries(entry.values, (name, mapping) => readValues(parametersSchema.properties[name]!, mapping));
  const acceptedKeys = mapEntries(values, (_, mapping) => mapping.map(([value]) => value));
  return {
    entry: place,
    upstreamModel,
    when: entry.when.map(({ match, upstream_model = null, price_usd = null }) => ({
      match,
      upstreamModel: upstream_model,
      priceUsd: price_usd,
    })),
    rename,
    values: mapEntries(values, (_, mapping) => new Map(mapping.map(([value, up]) => [JSON.stringify(value), up]))),
    as: mapEntries(entry.as, (_, text) => readConversion(text)),
    set,
    accepts: { ...entry.accepts, ...acceptedKeys },
    defaults: getDefaults(parametersSchema),
    refuse,
    outputLimit: entry.output_limit ?? null,
    responses: entry.responses ?? false,
    singleSystem: entry.single_system,
    inputs,
    priceUsd: entry.price_usd ?? null,
    tokenCosts: entry.llm_cost ? buildPriceList(entry.llm_cost) : null,
    weight: entry.weight,
    retryStarted: entry.retry_started ?? providerOf[kind]?.retryStarted ?? 0,
    onUnknown: entry.on_unknown,
    onError: entry.on_error ?? "fail",
    retiresAt: entry.retires_at ?? null,
    workflow: buildWorkflow(entry, readWorkflow),
  };
}

const mapEntries = <A, B>(mapping: Record<string, A>, map: (name: string, value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(mapping).map(([name, value]) => [name, map(name, value)]));

/** Returns the values of a parameter, each with upstream's value for it. */
const readValues = (property: Record<string, unknown>, mapping: Record<string, unknown>): [unknown, unknown][] =>
  Object.entries(mapping).map(([key, upstreamValue]) => [readValueKey(property, key), upstreamValue]);

function readConversion(text: string): Conversion {
  const [, type, list, name] = CONVERSION.exec(text)!;
  return list === undefined
    ? { to: type as "string" | "number" | "members" }
    : { to: list as "first" | "numbered", name: name! };
}

function buildWorkflow({ workflow, bind, outputs }: RouteEntry, readWorkflow: WorkflowReader): Workflow | null {
  if (workflow === undefined) return null;
  const file = resolveWorkflow(workflow, readWorkflow);
  // The check has found no issue.
  if ("issue" in file) throw new Error(`the workflow ${file.issue}`);
  return {
    nodes: file.workflow as Workflow["nodes"],
    bind: mapEntries(bind, (_, place) => PLACE.exec(place)!.slice(1) as [string, string]),
    outputs: outputs ?? null,
  };
}
