import { isObject } from "../lib/is-object";
import { parseDecimal } from "../lib/money";
import { checkModel } from "./check-model";
import type { ProviderKind } from "./model";
import { checkProvider } from "./check-provider";
import { builtInProviders } from "./provider-settings";
import { ProviderShape } from "./shape";
import { Price } from "./shape-values";
import type { ReportIssue, Schema } from "./subschemas";
import type { Variables } from "../catalogue-variables";
import type { WorkflowReader } from "./workflow-reader";

/** Reports issues between the entries of a catalogue, as written in YAML. */
export function checkCatalogue(
  catalogue: unknown,
  { variables, reserved, readWorkflow }: { variables: Variables; reserved: string[]; readWorkflow: WorkflowReader },
  report: ReportIssue,
): void {
  if (!isObject(catalogue)) return;
  const providers = readEntries(catalogue.providers);
  const models = readEntries(catalogue.models);
  checkIds("providers", providers, report);
  checkIds("models", models, report);

  const margin = Price.safeParse(catalogue.margin ?? 1).data ?? parseDecimal(1);
  const kinds = checkProviders(providers, variables, report);
  for (const [index, entry] of models) {
    if (typeof entry.id === "string" && reserved.includes(entry.id))
      report(["models", index, "id"], "is the id of a sandbox model");
    checkModel(entry, { kinds, margin, readWorkflow }, (path, message) => report(["models", index, ...path], message));
  }
}

/** Reports issues of providers, and returns the kind of each by its id. */
function checkProviders(
  providers: [number, Schema][],
  variables: Variables,
  report: ReportIssue,
): Map<string, ProviderKind> {
  const kinds = new Map<string, ProviderKind>(builtInProviders.map(({ id, kind }) => [id, kind]));
  for (const [index, entry] of providers) {
    const shaped = ProviderShape.safeParse(entry);
    // An invalid provider still counts as present, so that its routes report no further issue.
    if (typeof entry.id === "string" && !kinds.has(entry.id))
      kinds.set(entry.id, (shaped.data?.kind ?? entry.kind) as ProviderKind);
    for (const { path, message } of shaped.success ? checkProvider(shaped.data, variables) : [])
      report(["providers", index, ...path], message);
  }
  return kinds;
}

const readEntries = (value: unknown): [number, Schema][] =>
  Array.isArray(value) ? [...value.entries()].filter((entry): entry is [number, Schema] => isObject(entry[1])) : [];

function checkIds(section: string, entries: [number, Schema][], report: ReportIssue) {
  const seen = new Set<unknown>();
  for (const [index, { id }] of entries) {
    if (typeof id === "string" && seen.has(id)) report([section, index, "id"], `${id} is already used`);
    seen.add(id);
  }
}
