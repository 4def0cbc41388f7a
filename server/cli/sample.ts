import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { loadCatalogue } from "../catalogue/load";
import { addSample, listSamples, removeSample } from "../domain/samples";
import { OperatorError } from "../lib/operator-error";
import { cliOperator, type OutputOptions, printResult, withHub } from "./command";

/** Adds the `sample` commands. */
export function addSampleCommands(program: Command): void {
  const sample = program.command("sample").description("manage the sample pictures of models");
  sample
    .command("add <model> <file...>")
    .description("add pictures that the model made")
    .option("--json")
    .action((model: string, files: string[], options: OutputOptions) => runAdd(model, files, options));
  sample.command("list").description("list the samples of each model").option("--json").action(runList);
  sample
    .command("remove")
    .description("remove a sample")
    .requiredOption("--id <id>")
    .option("--json")
    .action(runRemove);
}

async function runAdd(model: string, files: string[], options: OutputOptions): Promise<void> {
  const pictures = await Promise.all(files.map(readPicture));
  const ids: string[] = [];
  await withHub(async (hub) => {
    for (const picture of pictures) ids.push(await addSample(hub, cliOperator(), { model, picture }));
  }, loadCatalogue);
  printResult(options, { model, ids }, ids.map((id) => `Added sample ${id} of ${model}.`).join("\n"));
}

const readPicture = (file: string): Promise<Buffer> =>
  readFile(file).catch(() => {
    throw new OperatorError(`${file} cannot be read.`);
  });

async function runList(options: OutputOptions): Promise<void> {
  const samples = await withHub((hub) => listSamples(hub));
  const data = [...samples].flatMap(([model, all]) => all.map((one) => ({ model, ...one })));
  const lines = data.map(({ model, id, on_home }) => [model, id, on_home && "on the home page"].filter(Boolean).join("  ")); // prettier-ignore
  printResult(options, { data }, lines.join("\n") || "No samples.");
}

async function runRemove(options: OutputOptions & { id: string }): Promise<void> {
  await withHub((hub) => removeSample(hub, cliOperator(), options.id));
  printResult(options, { id: options.id, removed: true }, `Removed sample ${options.id}.`);
}
