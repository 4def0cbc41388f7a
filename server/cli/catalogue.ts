import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { applyCatalogue } from "../catalogue/apply";
import { CatalogueError } from "../catalogue/catalogue-error";
import { parseCatalogue } from "../catalogue/parse";
import { readVariables } from "../env";
import { OperatorError } from "../lib/operator-error";
import { printResult, type OutputOptions } from "./print-result";
import { withHub } from "./with-hub";

export function addCatalogueCommands(program: Command): void {
  const catalogue = program.command("catalogue").description("the models on offer");
  catalogue
    .command("check <file>")
    .description("look for every fault, with its line; exit 1 when there is one")
    .option("--json")
    .action(check);
  catalogue
    .command("apply <file>")
    .description("put a catalogue in force, in running hubs as well")
    .option("--json")
    .action(apply);
}

async function check(file: string, options: OutputOptions): Promise<void> {
  const text = await read(file);
  try {
    const { models, warnings } = parseCatalogue(text, { file, variables: readVariables() });
    const ids = models.map(({ id }) => id);
    const said = [...warnings, `${file} has no fault; it offers ${ids.join(", ") || "nothing"}.`];
    printResult(options, { file, models: ids, warnings, faults: [] }, said.join("\n"));
  } catch (error) {
    if (!(error instanceof CatalogueError) || !options.json) throw error;
    printResult(options, { file, models: [], warnings: [], faults: error.issues }, "");
    process.exitCode = 1;
  }
}

async function apply(file: string, options: OutputOptions): Promise<void> {
  const text = await read(file);
  const revision = await withHub(({ db, now }) => applyCatalogue(db, text, now(), file));
  printResult(options, { revision }, `${file} is in force as revision ${revision}.`);
}

const read = (file: string): Promise<string> =>
  readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(`Cannot read ${file} (${error.code}).`);
  });
