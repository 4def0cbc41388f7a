import type { Route } from "../model";

/** Where a price list may have an entry: in litellm's list directly, in that of models.dev below a provider. */
export type EntryPath = [entry: string] | [provider: string, "models", entry: string];

interface Maker {
  /** The address of its API. */
  host: string;
  litellm: string;
  modelsDev: string;
}

const makers: Maker[] = [
  { host: "api.openai.com", litellm: "openai", modelsDev: "openai" },
  { host: "api.anthropic.com", litellm: "anthropic", modelsDev: "anthropic" },
  { host: "generativelanguage.googleapis.com", litellm: "gemini", modelsDev: "google" },
  { host: "api.deepseek.com", litellm: "deepseek", modelsDev: "deepseek" },
  { host: "api.x.ai", litellm: "xai", modelsDev: "xai" },
  { host: "api.mistral.ai", litellm: "mistral", modelsDev: "mistral" },
  { host: "openrouter.ai", litellm: "openrouter", modelsDev: "openrouter" },
  { host: "api.groq.com", litellm: "groq", modelsDev: "groq" },
  { host: "api.cerebras.ai", litellm: "cerebras", modelsDev: "cerebras" },
  { host: "api.together.xyz", litellm: "together_ai", modelsDev: "togetherai" },
  { host: "api.fireworks.ai", litellm: "fireworks_ai", modelsDev: "fireworks-ai" },
  { host: "api.deepinfra.com", litellm: "deepinfra", modelsDev: "deepinfra" },
  { host: "api.moonshot.ai", litellm: "moonshot", modelsDev: "moonshotai" },
  { host: "api.perplexity.ai", litellm: "perplexity", modelsDev: "perplexity" },
];

type Named = Pick<Route, "provider" | "upstreamModel">;

/** Returns how the lists call the maker behind a provider: by its address, otherwise by its id in the catalogue. */
export function findMaker({ provider: { id, baseUrl } }: Named): Pick<Maker, "litellm" | "modelsDev"> {
  const host = baseUrl === null || !URL.canParse(baseUrl) ? null : new URL(baseUrl).host;
  return makers.find((maker) => maker.host === host) ?? { litellm: id, modelsDev: id };
}

/** Returns where lists may have the upstream model of a route, the likeliest place first. */
export function listEntryPaths(route: Named): EntryPath[] {
  const { upstreamModel } = route;
  if (upstreamModel === null) return [];
  const { litellm, modelsDev } = findMaker(route);
  return [[`${litellm}/${upstreamModel}`], [upstreamModel], [modelsDev, "models", upstreamModel]];
}

/** Returns a path as one text. */
export const joinPath = (path: EntryPath): string => JSON.stringify(path);
