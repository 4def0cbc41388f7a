import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { applyCatalogue } from "../catalogue/apply";
import { CatalogueError } from "../catalogue/catalogue-error";
import { parseCatalogue } from "../catalogue/parse";
import { readVariables } from "../env";
import { OperatorError } from "../lib/operator-error";
import { printResult, type OutputOptions, withHub } from "./command";

/** Adds the `catalogue` commands. */
export function addCatalogueCommands(program: Command): void {
  const catalogue = program.command("catalogue").description("manage the models on offer");
  catalogue
    .command("check <file>")
    .description("validate a catalogue and list issues by line; exit 1 on issues")
    .option("--json")
    .action(runCheck);
  catalogue
    .command("apply <file>")
    .description("activate a catalogue in all running hubs")
    .option("--json")
    .action(runApply);
}

async function runCheck(file: string, options: OutputOptions): Promise<void> {
  const text = await readText(file);
  try {
    const { models, warnings } = parseCatalogue(text, { file, variables: readVariables() });
    const ids = models.map(({ id }) => id);
    const count = ids.length === 1 ? "1 model" : `${ids.length} models`;
    const summary = `${file} is valid (${[count, ids.join(", ")].filter(Boolean).join(": ")})`;
    printResult(options, { file, models: ids, warnings, faults: [] }, [...warnings, summary].join("\n"));
  } catch (error) {
    if (!(error instanceof CatalogueError) || !options.json) throw error;
    printResult(options, { file, models: [], warnings: [], faults: error.issues }, "");
    process.exitCode = 1;
  }
}

async function runApply(file: string, options: OutputOptions): Promise<void> {
  const text = await readText(file);
  const revision = await withHub(({ db, now }) => applyCatalogue(db, text, now(), file));
  printResult(options, { revision }, `Applied ${file} as revision ${revision}.`);
}

const readText = (file: string): Promise<string> =>
  readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(`Cannot read ${file} (${error.code}).`);
  });
