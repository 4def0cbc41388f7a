import { sampleInput } from "../../app/parameters/sample-input";
import type { Schema } from "../../app/parameters/parameter";
import type { Api } from "./api";
import { runHubCommand } from "./run-hub-command";

interface Provider {
  id: string;
  kind: string;
  missing: string[];
  routes: { models: string[] }[];
}

interface Model {
  id: string;
  output_modalities: string[];
  parameters_schema: Schema;
}

/** A request for a picture, and what it costs at most in EUR. */
export interface PricedRequest {
  model: string;
  input: Record<string, unknown>;
  estimate: number;
}

/** A provider of the catalogue, and the ids of the models that have a route to it. */
export interface ServedModels {
  provider: string;
  models: Set<string>;
}

/** Returns the cheapest picture that a provider can make from text alone. */
export async function findCheapestPicture(
  api: Api,
  { provider, models: served }: ServedModels,
): Promise<PricedRequest> {
  const { data } = await api.get<{ data: Model[] }>("/hub/models");
  const models = data.filter(
    ({ id, output_modalities, parameters_schema }) =>
      served.has(id) && output_modalities.includes("image") && !needsFile(parameters_schema),
  );
  const priced = await Promise.all(models.map((model) => price(api, model)));
  const [cheapest] = priced.sort((a, b) => a.estimate - b.estimate);
  if (!cheapest) throw new Error(`No model with a route to ${provider} draws a picture from text alone.`);
  return cheapest;
}

/** Returns the models of a provider, by its id or kind. Throws an error if it is unknown or has no key. */
export async function findServedModels(name: string): Promise<ServedModels> {
  const { data } = await runHubCommand<{ data: Provider[] }>("provider", "list");
  const provider = data.find(({ id }) => id === name) ?? data.find(({ kind }) => kind === name);
  if (!provider) throw new Error(`The catalogue has no provider ${name}. Add one: npm run hub -- provider add ${name}`);
  if (provider.missing.length > 0)
    throw new Error(`${provider.missing.join(", ")} is not set. Set it, and start the hub with it again.`);
  return { provider: name, models: new Set(provider.routes.flatMap(({ models }) => models)) };
}

const needsFile = ({ required = [], properties = {} }: Schema): boolean =>
  required.some((name) => JSON.stringify(properties[name]).includes('"uri"'));

async function price(api: Api, { id: model, parameters_schema }: Model): Promise<PricedRequest> {
  const input = sampleInput(parameters_schema);
  const { body } = await api.post<{ estimated_cost: number }>(`/hub/models/${model}/pricing`, { input });
  return { model, input, estimate: body.estimated_cost };
}
