import { readFile, stat } from "node:fs/promises";
import { type Command, InvalidArgumentError } from "commander";
import type { CatalogueText } from "../catalogue/merge-catalogues";
import { findNewestRevision } from "../catalogue/newest-revision";
import { applyRevision } from "../domain/models";
import {
  comparePrices,
  fetchPriceList,
  MAX_LIST_BYTES,
  type PriceComparison,
  type PriceListsHub,
  serializeComparison,
} from "../domain/price-lists";
import { readEnv } from "../env";
import { OperatorError } from "../lib/operator-error";
import { readSource } from "./catalogue-add";
import { cliOperator, type OutputOptions, printResult, withHub } from "./command";
import { formatComparison } from "./format-comparison";

interface SyncCommandOptions extends OutputOptions {
  from?: string;
  apply?: boolean;
  maxChange: number;
}

const DEFAULT_MAX_CHANGE = 50;
const LISTS = [
  "https://raw.githubusercontent.com/BerriAI/litellm/main/model_prices_and_context_window.json",
  "https://models.dev/api.json",
];

/** Adds the command `catalogue sync`. */
export function addSyncCommand(catalogue: Command): void {
  catalogue
    .command("sync [models...]")
    .description("compare the prices of tokens with a public price list; exit 1 if --apply leaves a model out")
    .option("--from <list>", "a file or an https URL, in the format of litellm or of models.dev")
    .option("--apply", "apply what changed as one revision")
    .option(
      "--max-change <percent>",
      "leave out models that change by more, unless they are named",
      readPercent,
      DEFAULT_MAX_CHANGE,
    )
    .option("--json")
    .addHelpText("after", `\nNothing is fetched unless --from names it. Public lists:\n  ${LISTS.join("\n  ")}`)
    .action(runSync);
}

function readPercent(text: string): number {
  const percent = Number(text);
  if (text.trim() === "" || !(percent >= 0)) throw new InvalidArgumentError("It must be a number from 0.");
  return percent;
}

async function runSync(models: string[], options: SyncCommandOptions): Promise<void> {
  const { from, apply, maxChange } = options;
  if (from === undefined)
    throw new OperatorError(`Name a price list with --from, a file or an https URL such as ${LISTS.join(" or ")}.`);
  const { HUB_CATALOGUE } = readEnv();
  if (HUB_CATALOGUE && apply)
    throw new OperatorError(
      `HUB_CATALOGUE names ${HUB_CATALOGUE}, which is used instead of an applied catalogue: ` +
        "write `source` of `catalogue sync --json` to that file, or unset HUB_CATALOGUE.",
    );
  await withHub(async (hub) => {
    const base = await findNewestRevision(hub.db);
    const catalogue: CatalogueText | null = HUB_CATALOGUE
      ? await readSource(HUB_CATALOGUE)
      : base && { file: `applied catalogue ${base.id}`, text: base.source };
    if (!catalogue) throw new OperatorError("No catalogue was applied yet.");
    const named = models.length > 0 ? models : null;
    const compared = await readList(hub, from, (list) =>
      comparePrices(hub, catalogue, list, { models: named, maxChange }),
    );
    const isChanged = compared.text !== catalogue.text;
    const request = { source: compared.text, file: "result", base: base?.id ?? null, reason: `Prices of ${from}` };
    const revision = apply && isChanged ? await applyRevision(hub, cliOperator(), request) : null;
    const result = { ...serializeComparison(compared), revision, source: compared.text };
    printResult(options, result, describe(compared, revision));
    if (apply && compared.models.some(({ issue }) => issue)) process.exitCode = 1;
  });
}

function describe(compared: PriceComparison, revision: number | null): string {
  const lines = formatComparison(serializeComparison(compared));
  return [...lines, ...(revision === null ? [] : [`Applied as revision ${revision}.`])].join("\n");
}

/** Calls `use` with the list in a file or at an https address. Throws OperatorError if it cannot be read. */
async function readList<T>(hub: PriceListsHub, from: string, use: (list: Buffer) => Promise<T>): Promise<T> {
  if (/^[a-z]+:\/\//i.test(from)) return fetchPriceList(hub, from, use);
  return use(await readListFile(from));
}

async function readListFile(file: string): Promise<Buffer> {
  try {
    const { size } = await stat(file);
    if (size <= MAX_LIST_BYTES) return await readFile(file);
  } catch (error) {
    throw new OperatorError(`${file}: cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  throw new OperatorError(`${file}: is larger than ${MAX_LIST_BYTES} bytes`);
}
