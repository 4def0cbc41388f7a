import type { InputMode, Model, Route } from "../../../catalogue/model";
import type { HubParts } from "../../../context";
import type { Provider, ProviderIo } from "../../../providers/provider";
import { linkInput } from "../../input-files";
import { findFileReferences } from "../../references";
import type { Generation } from "../row";
import type { RunHub } from "./hub";

/** What preparing an input needs. */
interface Preparation {
  generation: Generation;
  model: Model;
  provider: Provider;
  route: Route;
  io: ProviderIo;
}

/**
 * Returns the input with its file parameters as the route's provider gets them: signed links, URLs at the provider's own
 * store, data URIs, or unchanged for a provider that reads them. Throws InputUnavailable.
 */
export async function prepareInputs(
  hub: RunHub,
  preparation: Preparation,
  input: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const { model, provider, route } = preparation;
  const mode = chooseInputMode(hub, provider, route);
  if (mode === "read") return input;
  const references = findFileReferences(model.parametersSchema, input);
  if (references.length === 0) return input;
  const prepared = structuredClone(input);
  for (const { place, text } of references)
    replaceValue(prepared, place.split("."), await prepareFile(hub, preparation, mode, text));
  return prepared;
}

/** Returns the route's mode, or the first of the provider that works with the hub's address. */
function chooseInputMode(hub: RunHub, { inputModes = ["read"] }: Provider, route: Route): InputMode {
  return route.inputs ?? inputModes.find((mode) => mode !== "link" || isReachableFrom(hub, route)) ?? "inline";
}

/** Returns whether a route's provider can call the hub: a public one only at an https address, the operator's own always. */
export function isReachableFrom({ env }: Pick<HubParts, "env">, { provider }: Pick<Route, "provider">): boolean {
  const { protocol, hostname } = new URL(env.BASE_URL);
  return provider.hasOwnBaseUrl || (protocol === "https:" && !/^(localhost|127\.|10\.|192\.168\.|\[)/.test(hostname));
}

async function prepareFile(
  hub: RunHub,
  { generation, provider, route, io }: Preparation,
  mode: InputMode,
  url: string,
) {
  if (mode === "link") return linkInput(hub, generation.account_id, url, generation.deadline_at!);
  const file = await io.readFile(url);
  if (mode === "inline") return `data:${file.mediaType};base64,${file.content.toString("base64")}`;
  return provider.upload!(file, route, io);
}

/** Sets the value at a path that exists. */
function replaceValue(target: Record<string, unknown>, path: string[], value: unknown): void {
  const parent = path
    .slice(0, -1)
    .reduce<Record<string, unknown>>((at, key) => at[key] as Record<string, unknown>, target);
  parent[path.at(-1)!] = value;
}
