import { readdir } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline/promises";
import { checkOnline } from "../catalogue/check-online";
import { embedWorkflows } from "../catalogue/embed-workflows";
import type { CatalogueText } from "../catalogue/merge-catalogues";
import type { Model } from "../catalogue/model";
import { providerKinds } from "../catalogue/provider-kinds";
import { parseCatalogue } from "../catalogue/parse";
import { readCatalogueFile } from "../catalogue/read-catalogue-file";
import { describeForbidden } from "../catalogue/substitute";
import type { Variables } from "../catalogue-variables";
import { readEnv, readVariables } from "../env";
import { OperatorError } from "../lib/operator-error";
import { root } from "../root";
import { addModels, printAdded } from "./catalogue-add";
import type { OutputOptions } from "./command";
import { formatChecks } from "./format-checks";

export interface AddProviderOptions extends OutputOptions {
  keyVariable?: string;
  models?: string[];
  replace?: boolean;
}

/** Asks a question; an empty answer means the default. */
type Ask = (question: string) => Promise<string>;

/**
 * Runs `provider add`: adds those models of a maker to the applied catalogue that the maker confirms, free of charge.
 * Asks for the variable and the models that no option names, if somebody is there to answer.
 */
export async function addProvider(kind: string, options: AddProviderOptions): Promise<void> {
  const terminal = process.stdin.isTTY && !options.json ? openTerminal() : null;
  try {
    const starter = await readStarter(kind);
    const chosen = await chooseSource(starter, options, terminal?.ask ?? null);
    const model = await findUsable(chosen);
    printAdded(options, await addModels(chosen.source, { model, replace: options.replace }));
  } finally {
    terminal?.close();
  }
}

function openTerminal(): { ask: Ask; close: () => void } {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const ask: Ask = async (question) => {
    // Rejects when the person presses Ctrl+C or Ctrl+D.
    const answer = await terminal.question(question).catch(() => null);
    if (answer === null) throw new OperatorError("Canceled. Nothing was added.");
    return answer.trim();
  };
  return { ask, close: () => terminal.close() };
}

const CATALOGUES = path.join(root, "catalogues");
const VARIABLE = /\$\{(\w+)\}/;

/** Returns the catalogue of a maker's models. */
async function readStarter(kind: string): Promise<CatalogueText> {
  const files = await readdir(CATALOGUES);
  const kinds = providerKinds.filter((known) => files.includes(`${known}.yaml`));
  if (!kinds.some((known) => known === kind))
    throw new OperatorError(`There are no models of "${kind}": choose ${kinds.join(", ")}.`);
  const { text, readWorkflow } = await readCatalogueFile(path.join(CATALOGUES, `${kind}.yaml`));
  return { file: `catalogues/${kind}.yaml`, text: embedWorkflows(text, readWorkflow) };
}

interface Chosen {
  source: CatalogueText;
  models: Model[];
}

/**
 * Returns the catalogue with the variable that holds the key, and the models to add. Throws OperatorError if the key is
 * not set.
 */
export async function chooseSource(
  { file, text }: CatalogueText,
  { keyVariable, models: ids }: AddProviderOptions,
  ask: Ask | null,
  variables = readVariables(),
): Promise<Chosen> {
  const usual = VARIABLE.exec(text)![1]!;
  const answer = keyVariable ?? (await ask?.(`Environment variable of the provider [${usual}]: `));
  const name = answer || usual;
  checkVariable(name, variables);
  const source = { file, text: text.replaceAll(`\${${usual}}`, () => `\${${name}}`) };
  const { models } = parseCatalogue(source.text, { file, variables });
  const chosen = ids ?? (ask && (await askForModels(models, ask)));
  const unknown = chosen?.filter((id) => models.every((model) => model.id !== id)) ?? [];
  if (unknown.length > 0)
    throw new OperatorError(
      `${file} has no model ${unknown.join(", ")}: it has ${models.map(({ id }) => id).join(", ")}.`,
    );
  return { source, models: chosen ? models.filter(({ id }) => chosen.includes(id)) : models };
}

/** Throws OperatorError unless a catalogue may name the variable, and it is set. */
function checkVariable(name: string, variables: Variables): void {
  const forbidden = describeForbidden(name, variables);
  if (forbidden) throw new OperatorError(`The catalogue ${forbidden}.`);
  if (!variables[name])
    throw new OperatorError(
      `${name} is not set: set it in the environment of the hub, or in .env, and run this again.`,
    );
}

/** Returns the ids in the answer; null for all. */
async function askForModels(models: Model[], ask: Ask): Promise<string[] | null> {
  const list = models.map(({ id, name }) => `  ${id}  ${name}\n`).join("");
  const answer = await ask(`${list}Models to add, separated by commas [all]: `);
  return answer === "" ? null : splitList(answer);
}

/** Returns the items of a comma-separated list. */
export const splitList = (text: string): string[] => text.split(",").map((item) => item.trim());

/**
 * Returns the ids of the models that the maker confirms, after printing what it says of the others: makers retire
 * models sooner than a catalogue is updated. Throws OperatorError if it confirms none.
 */
async function findUsable({ models }: Chosen): Promise<string[]> {
  const checks = await checkOnline(models, { allowHosts: readEnv().OUTBOUND_ALLOW_HOSTS });
  const failed = checks.filter(({ result }) => result === "failed");
  const unusable = new Set(failed.flatMap(({ models }) => models));
  const usable = models.map(({ id }) => id).filter((id) => !unusable.has(id));
  const report = formatChecks(failed);
  if (usable.length === 0) throw new OperatorError([...report, "Nothing was added."].join("\n"));
  if (unusable.size > 0) process.stderr.write(`${report.join("\n")}\nNot added: ${[...unusable].join(", ")}.\n`);
  return usable;
}
