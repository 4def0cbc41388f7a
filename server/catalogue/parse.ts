import type { z } from "zod";
import { providers as kinds } from "../providers/registry";
import { sandboxCatalogue } from "../providers/sandbox/models";
import { describeIssue } from "../lib/issues";
import { buildModel } from "./build-model";
import { CatalogueError, type CatalogueIssue, formatPath } from "./catalogue-error";
import { checkCatalogue } from "./check-catalogue";
import type { Model, ProviderSettings } from "./model";
import { builtInProviders } from "./built-in-providers";
import { CatalogueShape, type ModelEntry, type ProviderEntry } from "./shape";
import { readSource } from "./source";
import type { Path } from "./subschemas";
import { substitute, type Variables } from "./substitute";

export interface ParseOptions {
  /** Name of the text in issues. */
  file: string;
  variables: Variables;
  /** Model ids that the catalogue may not use; by default those of the sandbox. */
  reserved?: string[];
}

export interface ParsedCatalogue {
  models: Model[];
  /** Only providers whose variables are set. */
  providers: ProviderSettings[];
  /** Valid settings that may not be intended. */
  warnings: string[];
}

/** Parses a catalogue. Throws CatalogueError with every issue and its line (docs/catalogue.md). */
export function parseCatalogue(
  text: string,
  { file, variables, reserved = sandboxIds }: ParseOptions,
): ParsedCatalogue {
  const source = readSource(text, file);
  const issues: CatalogueIssue[] = [];
  const report = (path: Path, message: string) =>
    issues.push({ line: source.lineOf(path), path: formatPath(path), message });

  const parsed = CatalogueShape.safeParse(source.value, { error: describeYamlIssue });
  for (const { path, message } of parsed.error?.issues.flatMap(toLocatedMessages) ?? []) report(path, message);
  checkCatalogue(source.value, { variables, reserved }, report);
  if (!parsed.success || issues.length > 0) throw new CatalogueError(file, issues);

  const warnings: string[] = [];
  const providers = new Map(builtInProviders.map((provider) => [provider.id, provider]));
  for (const entry of parsed.data.providers) {
    const { settings, missing } = readProvider(entry, variables);
    providers.set(settings.id, settings);
    if (missing.length > 0) warnings.push(`provider ${entry.id} is left out: ${missing.join(", ")} is not set`);
  }
  const models = parsed.data.models.map((entry) => buildModel(entry, providers));
  for (const entry of parsed.data.models) warnings.push(...findWarnings(entry));
  return { models, providers: [...providers.values()], warnings };
}

/** Returns the settings of a checked provider, and the names of the variables that it needs but that are not set. */
function readProvider(
  { id, kind, base_url, api_key }: ProviderEntry,
  variables: Variables,
): { settings: ProviderSettings; missing: string[] } {
  const base = substitute(base_url ?? "", variables);
  const key = substitute(api_key ?? "", variables);
  const missing = [...new Set([...base.missing, ...key.missing])];
  const settings: ProviderSettings = {
    ...{
      id,
      kind,
      missing,
      hasOwnBaseUrl: base.value !== "",
      apiKey: key.value || null,
      maxInFlight: null,
      perMinute: null,
      spendLimitPerDay: null,
    },
    baseUrl: base.value.replace(/\/+$/, "") || (kinds[kind]?.defaultBaseUrl ?? null),
  };
  return { settings, missing };
}

const sandboxIds = sandboxCatalogue.map(({ id }) => id);

function findWarnings({ id, routes, pricing_tiers = [] }: ModelEntry): string[] {
  const catchAll = pricing_tiers.findIndex(({ match }) => Object.keys(match).length === 0);
  const hasUnreachableTiers = catchAll >= 0 && catchAll < pricing_tiers.length - 1;
  return [
    ...(routes.length === 0 ? [`model ${id} has no routes, so it is unavailable`] : []),
    ...(hasUnreachableTiers
      ? [`model ${id}: pricing_tiers[${catchAll}] matches everything, so later tiers are never used`]
      : []),
  ];
}

/** Returns the message of a zod issue in terms of YAML, for `safeParse(…, { error })`. */
const describeYamlIssue = (issue: z.core.$ZodRawIssue): string => describeIssue(issue, yamlTypes);

const yamlTypes: Record<string, string> = {
  record: "a mapping of names to values",
  object: "a mapping of names to values",
  array: "a list",
  int: "a whole number",
  boolean: "true or false",
};

/** Returns the locations of an issue. Each unknown key is a location of its own. */
function toLocatedMessages(issue: z.core.$ZodIssue): { path: Path; message: string }[] {
  const path = issue.path as Path;
  if (issue.code !== "unrecognized_keys") return [{ path, message: issue.message }];
  return issue.keys.map((key) => ({ path: [...path, key], message: "is not a setting" }));
}
