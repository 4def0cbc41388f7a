import type { z } from "zod";
import { sandboxCatalogue } from "../providers/sandbox/models";
import { describeIssue } from "../lib/issues";
import { buildModel } from "./build-model";
import { buildProvider, builtInProviders } from "./provider-settings";
import { CatalogueError, type CatalogueIssue, formatPath } from "./catalogue-error";
import { checkCatalogue } from "./check-catalogue";
import { findWarnings } from "./find-warnings";
import type { Model, ProviderSettings } from "./model";
import { type Nano, parseDecimal } from "../lib/money";
import { type CatalogueEntries, CatalogueShape } from "./shape";
import { readSource } from "./source";
import type { Path } from "./subschemas";
import type { Variables } from "../catalogue-variables";
import { rejectFiles, type WorkflowReader } from "./workflow-reader";

interface ParseOptions {
  /** Name of the text in issues. */
  file: string;
  variables: Variables;
  /** Reads the workflows that routes name by a file; by default there are none. */
  readWorkflow?: WorkflowReader;
  /** The day for warnings of routes that retire. */
  now?: Date;
}

export interface ParsedCatalogue {
  models: Model[];
  /** The built-in ones first. Those with `missing` variables cannot be used. */
  providers: ProviderSettings[];
  /** What prices are multiplied by. */
  margin: Nano;
  /** Valid settings that may not be intended. */
  warnings: string[];
}

/** Parses a catalogue. Throws CatalogueError with every issue and its line (docs/catalogue.md). */
export function parseCatalogue(
  text: string,
  { file, variables, now, readWorkflow = rejectFiles }: ParseOptions,
): ParsedCatalogue {
  const source = readSource(text, file);
  const issues: CatalogueIssue[] = [];
  const report = (path: Path, message: string) =>
    issues.push({ line: source.lineOf(path), path: formatPath(path), message });

  const parsed = CatalogueShape.safeParse(source.value, { error: describeYamlIssue });
  for (const { path, message } of parsed.error?.issues.flatMap(toLocatedMessages) ?? []) report(path, message);
  checkCatalogue(source.value, { variables, reserved: sandboxIds, readWorkflow }, report);
  if (!parsed.success || issues.length > 0) throw new CatalogueError(file, issues);
  return buildCatalogue(parsed.data, { variables, now, readWorkflow });
}

/**
 * Returns the sandbox's models. Tests check them as a catalogue's text is checked; to do so at each start would take 100 ms,
 * and to compile their schemas 40 ms before any is used.
 */
export const buildSandbox = (): Model[] =>
  buildCatalogue(CatalogueShape.parse({ models: sandboxCatalogue }), { variables: {}, readWorkflow: rejectFiles })
    .models;

function buildCatalogue(
  { margin, providers: providerEntries, models: modelEntries }: CatalogueEntries,
  { variables, now, readWorkflow }: Pick<ParseOptions, "variables" | "now"> & { readWorkflow: WorkflowReader },
): ParsedCatalogue {
  const own = providerEntries.map(
    (entry) => [entry.id, buildProvider(entry, variables)] as [string, ProviderSettings[]],
  );
  const builtIn = builtInProviders.map((provider) => [provider.id, [provider]] as [string, ProviderSettings[]]);
  const providers = new Map([...builtIn, ...own]);
  const context = { providers, margin: margin ?? parseDecimal(1), readWorkflow };
  const models = modelEntries.map((entry) => buildModel(entry, context));
  const warnings = [
    ...own
      .flatMap(([, keys]) => keys)
      .flatMap(({ id, missing }) =>
        missing.length > 0 ? [`provider ${id} is left out: ${missing.join(", ")} is not set`] : [],
      ),
    ...models.flatMap((model) => findWarnings(model, { now, hasMargin: margin !== undefined })),
  ];
  return { models, providers: [...providers.values()].flat(), margin: context.margin, warnings };
}

const sandboxIds = sandboxCatalogue.map(({ id }) => id);

/** Returns the message of a zod issue in terms of YAML, for `safeParse(…, { error })`. */
export const describeYamlIssue = (issue: z.core.$ZodRawIssue): string => describeIssue(issue, yamlTypes);

const yamlTypes: Record<string, string> = {
  record: "a mapping of names to values",
  object: "a mapping of names to values",
  array: "a list",
  int: "a whole number",
  boolean: "true or false",
};

/** Returns the locations of an issue. Each unknown key is a location of its own. */
export function toLocatedMessages(issue: z.core.$ZodIssue): { path: Path; message: string }[] {
  const path = issue.path as Path;
  if (issue.code !== "unrecognized_keys") return [{ path, message: issue.message }];
  return issue.keys.map((key) => ({ path: [...path, key], message: "is not a setting" }));
}
