import { checkModel } from "./check-model";
import type { ProviderKind } from "./model";
import { checkProvider } from "./check-provider";
import { builtInProviders } from "./built-in-providers";
import { ProviderShape } from "./shape";
import { isSchema, type ReportIssue, type Schema } from "./subschemas";
import type { Variables } from "./substitute";

/** Faults between the entries of a catalogue, which is read as written. */
export function checkCatalogue(
  catalogue: unknown,
  { variables, reserved }: { variables: Variables; reserved: string[] },
  say: ReportIssue,
): void {
  if (!isSchema(catalogue)) return;
  const providers = entries(catalogue.providers);
  const models = entries(catalogue.models);
  checkIds("providers", providers, say);
  checkIds("models", models, say);

  const kinds = new Map<string, ProviderKind>(builtInProviders.map(({ id, kind }) => [id, kind]));
  for (const [index, entry] of providers) {
    const shaped = ProviderShape.safeParse(entry);
    // A provider with a fault of its own is still there for the routes that name it.
    if (typeof entry.id === "string" && !kinds.has(entry.id))
      kinds.set(entry.id, (shaped.data?.kind ?? entry.kind) as ProviderKind);
    for (const { field, message } of shaped.success ? checkProvider(shaped.data, variables) : [])
      say(["providers", index, field], message);
  }
  for (const [index, entry] of models) {
    if (typeof entry.id === "string" && reserved.includes(entry.id))
      say(["models", index, "id"], `the sandbox's own model has this id`);
    checkModel(entry, kinds, (path, message) => say(["models", index, ...path], message));
  }
}

const entries = (value: unknown): [number, Schema][] =>
  Array.isArray(value) ? [...value.entries()].filter((entry): entry is [number, Schema] => isSchema(entry[1])) : [];

function checkIds(list: string, found: [number, Schema][], say: ReportIssue) {
  const seen = new Set<unknown>();
  for (const [index, { id }] of found) {
    if (typeof id === "string" && seen.has(id)) say([list, index, "id"], `${id} is there already`);
    seen.add(id);
  }
}
