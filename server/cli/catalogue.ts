import type { Command } from "commander";
import { CatalogueError } from "../catalogue/catalogue-error";
import { checkOnline } from "../catalogue/check-online";
import { embedWorkflows } from "../catalogue/embed-workflows";
import { findNewestRevision } from "../catalogue/newest-revision";
import { parseCatalogue } from "../catalogue/parse";
import { readCatalogueFile } from "../catalogue/read-catalogue-file";
import { applyRevision } from "../domain/models";
import { readEnv, readVariableNames, readVariables } from "../env";
import { OperatorError } from "../lib/operator-error";
import { type AddOptions, addToCatalogue } from "./catalogue-add";
import { addSyncCommand } from "./catalogue-sync";
import { cliOperator, type OutputOptions, printResult, withHub } from "./command";
import { formatChecks } from "./format-checks";

/** Adds the `catalogue` commands. */
export function addCatalogueCommands(program: Command): void {
  const catalogue = program.command("catalogue").description("manage the models on offer");
  catalogue
    .command("check <file>")
    .description("validate a catalogue and list issues by line; exit 1 on issues")
    .option("--online", "also ask each provider, free of charge, whether it knows the key and the models")
    .option("--json")
    .action((file: string, options: CheckOptions) => checkCatalogueFile(file, options));
  catalogue
    .command("apply <file>")
    .description("activate a catalogue in all running hubs")
    .option("--json")
    .action(runApply);
  catalogue
    .command("add <file>")
    .description("add models of a catalogue, with their providers, to the applied one")
    .option("--model <id...>", "only these models")
    .option("--replace", "replace models that the catalogue already has")
    .option("--dry-run", "print the resulting catalogue instead of applying it")
    .option("--json")
    .action((file: string, options: AddOptions) => addToCatalogue(file, options));
  addSyncCommand(catalogue);
  catalogue.command("show").description("print the applied catalogue").option("--json").action(runShow);
}

async function runApply(file: string, options: OutputOptions): Promise<void> {
  const { text, readWorkflow } = await readCatalogueFile(file);
  // Issues name lines of the file, which an embedded workflow would shift.
  parseCatalogue(text, { file, variables: readVariableNames(), readWorkflow });
  const source = embedWorkflows(text, readWorkflow);
  const revision = await withHub((hub) => applyRevision(hub, cliOperator(), { source, file }));
  printResult(options, { revision }, `Applied ${file} as revision ${revision}.`);
}

async function runShow(options: OutputOptions): Promise<void> {
  const revision = await withHub(({ db }) => findNewestRevision(db));
  if (!revision) throw new OperatorError("No catalogue was applied yet.");
  printResult(options, { revision: revision.id, source: revision.source }, revision.source.trimEnd());
}

interface CheckOptions extends OutputOptions {
  online?: boolean;
}

/** Runs `catalogue check`. */
async function checkCatalogueFile(file: string, options: CheckOptions): Promise<void> {
  const { text, readWorkflow } = await readCatalogueFile(file);
  try {
    const { models, warnings } = parseCatalogue(text, { file, variables: readVariables(), readWorkflow });
    const ids = models.map(({ id }) => id);
    const online = options.online ? await checkOnline(models, { allowHosts: readEnv().OUTBOUND_ALLOW_HOSTS }) : [];
    const count = ids.length === 1 ? "1 model" : `${ids.length} models`;
    const summary = `${file} is valid (${[count, ids.join(", ")].filter(Boolean).join(": ")})`;
    const result = { file, models: ids, warnings, faults: [], ...(options.online && { online }) };
    printResult(options, result, [...warnings, summary, ...formatChecks(online)].join("\n"));
    if (online.some((check) => check.result === "failed")) process.exitCode = 1;
  } catch (error) {
    if (!(error instanceof CatalogueError) || !options.json) throw error;
    printResult(options, { file, models: [], warnings: [], faults: error.issues }, "");
    process.exitCode = 1;
  }
}
