import { CatalogueShape, type ProviderEntry } from "../../catalogue/shape";
import { readSource } from "../../catalogue/source";
import { listVariables } from "../../catalogue/substitute";
import { AppError } from "../../errors";
import type { ModelsHub } from "./hub";

/**
 * Throws a 403 if a catalogue sends a key where the applied one does not: each of its providers must have the kind and the
 * address of an applied provider, and no variables beyond those of that provider. A stolen token can therefore neither send a
 * provider's key elsewhere nor call another address in the operator's network.
 */
export async function rejectNewUpstreams(hub: ModelsHub, applied: string | null, source: string): Promise<void> {
  const known = applied === null ? [] : await hub.longWork(() => readProviders(applied));
  const providers = await hub.longWork(() => readProviders(source));
  const stranger = providers.find((provider) => !known.some((one) => isWithin(provider, one)));
  if (!stranger) return;
  throw new AppError(
    "unauthorized",
    `The provider ${stranger.id} has an address or a variable that the applied catalogue does not have for it. ` +
      "An operator adds it in the console or by `npm run hub -- catalogue apply`.",
    {},
    {},
    403,
  );
}

/** Returns the providers of a catalogue that have an address or a key; an empty list for an invalid catalogue. */
function readProviders(text: string): ProviderEntry[] {
  const parsed = CatalogueShape.safeParse(readSource(text, "catalogue").value);
  return (parsed.data?.providers ?? []).filter(({ kind }) => kind !== "sandbox" && kind !== "worker");
}

function isWithin(provider: ProviderEntry, known: ProviderEntry): boolean {
  const variables = listKeyVariables(known);
  return (
    provider.kind === known.kind &&
    provider.base_url === known.base_url &&
    listKeyVariables(provider).every((name) => variables.includes(name))
  );
}

const listKeyVariables = ({ api_key = "", api_keys = [] }: ProviderEntry): string[] =>
  [api_key, ...api_keys.map(({ key }) => key)].flatMap(listVariables);
