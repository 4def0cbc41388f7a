import { sandboxCatalogue } from "../providers/sandbox/models";
import { buildModel } from "./build-model";
import { CatalogueError, type CatalogueIssue, formatPath } from "./catalogue-error";
import { checkCatalogue } from "./check-catalogue";
import { describeYamlIssue, toLocatedMessages } from "./describe-issue";
import type { Model, ProviderSettings } from "./model";
import { builtInProviders } from "./built-in-providers";
import { readProvider } from "./read-provider";
import { CatalogueShape, type ModelEntry } from "./shape";
import { readSource } from "./source";
import type { Path } from "./subschemas";
import type { Variables } from "./substitute";

export interface ParseOptions {
  /** How faults name the text. */
  file: string;
  variables: Variables;
  /** Ids of models that it may not use; by default those of the sandbox. */
  reserved?: string[];
}

export interface Parsed {
  models: Model[];
  /** Those that can be used. */
  providers: ProviderSettings[];
  /** What works, but perhaps not as meant. */
  warnings: string[];
}

/** Reads a catalogue, or throws CatalogueError with every fault and its line (docs/catalogue.md). */
export function parseCatalogue(text: string, { file, variables, reserved = sandboxIds }: ParseOptions): Parsed {
  const source = readSource(text, file);
  const faults: CatalogueIssue[] = [];
  const say = (path: Path, message: string) =>
    faults.push({ line: source.lineOf(path), path: formatPath(path), message });

  const shaped = CatalogueShape.safeParse(source.value, { error: describeYamlIssue });
  for (const { path, message } of shaped.error?.issues.flatMap(toLocatedMessages) ?? []) say(path, message);
  checkCatalogue(source.value, { variables, reserved }, say);
  if (!shaped.success || faults.length > 0) throw new CatalogueError(file, faults);

  const warnings: string[] = [];
  const providers = new Map(builtInProviders.map((own) => [own.id, own]));
  for (const entry of shaped.data.providers) {
    const { settings, missing } = readProvider(entry, variables);
    if (missing.length === 0) providers.set(settings.id, settings);
    else warnings.push(`provider ${entry.id} is left out: ${missing.join(", ")} is not set`);
  }
  const models = shaped.data.models.map((entry) => buildModel(entry, providers));
  for (const entry of shaped.data.models) warnings.push(...warningsOf(entry));
  return { models, providers: [...providers.values()], warnings };
}

const sandboxIds = sandboxCatalogue.map(({ id }) => id);

function warningsOf({ id, routes, pricing_tiers = [] }: ModelEntry): string[] {
  const catchAll = pricing_tiers.findIndex(({ match }) => Object.keys(match).length === 0);
  const hidden = catchAll >= 0 && catchAll < pricing_tiers.length - 1;
  return [
    ...(routes.length === 0 ? [`model ${id} has no route, so nobody can serve it`] : []),
    ...(hidden
      ? [`model ${id}: pricing_tiers[${catchAll}] matches everything, so the tiers after it never count`]
      : []),
  ];
}
