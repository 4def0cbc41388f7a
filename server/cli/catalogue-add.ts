import { embedWorkflows } from "../catalogue/embed-workflows";
import { type CatalogueText, mergeCatalogues, type MergedCatalogue } from "../catalogue/merge-catalogues";
import { findNewestRevision, type Revision } from "../catalogue/newest-revision";
import { parseCatalogue } from "../catalogue/parse";
import { readCatalogueFile } from "../catalogue/read-catalogue-file";
import { applyRevision } from "../domain/models";
import { readEnv, readVariableNames, readVariables } from "../env";
import { OperatorError } from "../lib/operator-error";
import { cliOperator, printResult, type OutputOptions, withHub } from "./command";

export interface AddOptions extends OutputOptions {
  model?: string[];
  replace?: boolean;
  dryRun?: boolean;
}

/** Runs `catalogue add`. */
export async function addToCatalogue(file: string, options: AddOptions): Promise<void> {
  printAdded(options, await addModels(await readSource(file), options));
}

/** What was added, with the revision that has it; null after a dry run. */
interface AddedModels extends MergedCatalogue {
  revision: number | null;
}

/** Merges models of a catalogue into the applied one, checks the result and applies it. */
export async function addModels(source: CatalogueText, { model, replace, dryRun }: AddOptions): Promise<AddedModels> {
  const { HUB_CATALOGUE } = readEnv();
  if (HUB_CATALOGUE && !dryRun)
    throw new OperatorError(
      `HUB_CATALOGUE names ${HUB_CATALOGUE}, which is used instead of an applied catalogue: ` +
        "write the output of `catalogue add --dry-run` to that file, or unset HUB_CATALOGUE.",
    );
  return withHub(async (hub) => {
    const base = await findNewestRevision(hub.db);
    const target = HUB_CATALOGUE ? await readSource(HUB_CATALOGUE) : toText(base);
    const merged = mergeCatalogues(target, source, { models: model, replace: replace ?? false });
    const parsed = parseCatalogue(merged.text, { file: "result", variables: readVariables(), now: hub.now() });
    const request = { source: merged.text, file: "result", base: base?.id ?? null };
    const revision = dryRun ? null : await applyRevision(hub, cliOperator(), request);
    return { ...merged, warnings: [...merged.warnings, ...parsed.warnings], revision };
  });
}

/** Prints what was added. */
export function printAdded(options: OutputOptions, added: AddedModels): void {
  const { revision, providers, models, warnings, text } = added;
  printResult(options, { revision, providers, models, warnings, source: text }, describe(added));
}

/** Returns a valid catalogue with the workflows of its files. */
export async function readSource(file: string): Promise<CatalogueText> {
  const { text, readWorkflow } = await readCatalogueFile(file);
  parseCatalogue(text, { file, variables: readVariableNames(), readWorkflow });
  return { file, text: embedWorkflows(text, readWorkflow) };
}

const toText = (revision: Revision | null): CatalogueText | null =>
  revision && { file: `applied catalogue ${revision.id}`, text: revision.source };

function describe({ text, models, providers, warnings, revision }: AddedModels): string {
  if (revision === null) return text.trimEnd();
  const added = [`models ${models.join(", ")}`, ...(providers.length > 0 ? [`providers ${providers.join(", ")}`] : [])];
  return [...warnings, `Added ${added.join(" and ")}, as revision ${revision}.`].join("\n");
}
