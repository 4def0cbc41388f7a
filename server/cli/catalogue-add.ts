import { applyCatalogue } from "../catalogue/apply";
import { embedWorkflows } from "../catalogue/embed-workflows";
import { type CatalogueText, mergeCatalogues, type MergedCatalogue } from "../catalogue/merge-catalogues";
import { findNewestRevision } from "../catalogue/newest-revision";
import { parseCatalogue } from "../catalogue/parse";
import { readCatalogueFile } from "../catalogue/read-catalogue-file";
import type { Db } from "../db/client";
import { readEnv, readVariables } from "../env";
import { OperatorError } from "../lib/operator-error";
import { printResult, type OutputOptions, withHub } from "./command";

export interface AddOptions extends OutputOptions {
  model?: string[];
  replace?: boolean;
  dryRun?: boolean;
}

/** Runs `catalogue add`: merges models of a file into the applied catalogue, checks the result and applies it. */
export async function addToCatalogue(file: string, options: AddOptions): Promise<void> {
  const { HUB_CATALOGUE } = readEnv();
  if (HUB_CATALOGUE && !options.dryRun)
    throw new OperatorError(
      `HUB_CATALOGUE names ${HUB_CATALOGUE}, which is used instead of an applied catalogue: ` +
        "write the output of --dry-run to that file, or unset HUB_CATALOGUE.",
    );
  const source = await readSource(file);
  await withHub(async ({ db, now }) => {
    const target = HUB_CATALOGUE ? await readSource(HUB_CATALOGUE) : await readApplied(db);
    const merged = mergeCatalogues(target, source, { models: options.model, replace: options.replace ?? false });
    const parsed = parseCatalogue(merged.text, { file: "result", variables: readVariables(), now: now() });
    const warnings = [...merged.warnings, ...parsed.warnings];
    const revision = options.dryRun ? null : await applyCatalogue(db, merged.text, now(), "result");
    const { providers, models, text } = merged;
    printResult(options, { revision, providers, models, warnings, source: text }, describe(merged, revision, warnings));
  });
}

/** Returns a valid catalogue with the workflows of its files. */
async function readSource(file: string): Promise<CatalogueText> {
  const { text, readWorkflow } = await readCatalogueFile(file);
  parseCatalogue(text, { file, variables: {}, readWorkflow });
  return { file, text: embedWorkflows(text, readWorkflow) };
}

async function readApplied(db: Db): Promise<CatalogueText | null> {
  const revision = await findNewestRevision(db);
  return revision && { file: `applied catalogue ${revision.id}`, text: revision.source };
}

function describe({ text, models, providers }: MergedCatalogue, revision: number | null, warnings: string[]): string {
  if (revision === null) return text.trimEnd();
  const added = [`models ${models.join(", ")}`, ...(providers.length > 0 ? [`providers ${providers.join(", ")}`] : [])];
  return [...warnings, `Added ${added.join(" and ")}, as revision ${revision}.`].join("\n");
}
