import { type Command, InvalidArgumentError, Option } from "commander";
import { loadCatalogue } from "../catalogue/load";
import type { Hub } from "../domain/hub";
import {
  type Bill,
  billApis,
  type BillApiName,
  type BillDifference,
  type BillReport,
  compareBill,
  hasDifferences,
  openBillFile,
  openOnlineBill,
  storeBillReport,
} from "../domain/provider-bills";
import { readVariables } from "../env";
import { createLog } from "../lib/log";
import { formatDecimal, type Nano } from "../lib/money";
import { OperatorError } from "../lib/operator-error";
import { type OutputOptions, printResult, readAmount, readTime, withHub } from "./command";

interface ReconcileOptions extends OutputOptions {
  provider: string;
  from: Date;
  to: Date;
  file?: string;
  online?: string | true;
  keyVariable?: string;
  tolerance: Nano;
}

/** Amounts that providers round to six decimal places are not differences. */
const DEFAULT_TOLERANCE = 1_000n;

/** Adds the `reconcile` command. */
export function addReconcileCommand(program: Command): void {
  program
    .command("reconcile")
    .description("compare a provider's bill with the attempts at it; changes nothing; exit 1 on differences")
    .requiredOption("--provider <id>", "a provider of the catalogue")
    .requiredOption("--from <time>", "the first day, or a time in ISO 8601", readTime)
    .requiredOption("--to <time>", "the day or time after the last one", readTime)
    .option(
      "--file <path>",
      "the bill: an export of fal, OpenAI or Replicate, or a CSV with the columns handle and cost",
    )
    .addOption(
      new Option(
        "--online [api]",
        `ask the provider instead; by default its API is known by its host (${billApis.join(", ")})`,
      ).argParser(readApi),
    )
    .option(
      "--key-variable <name>",
      "environment variable with the key for --online; by default the provider's own key",
    )
    .addOption(
      // Commander writes a default into the help as JSON, which has no bigint.
      new Option("--tolerance <amount>", "EUR up to which costs of a job, or of a day, are equal")
        .argParser(readAmount)
        .default(DEFAULT_TOLERANCE, formatDecimal(DEFAULT_TOLERANCE)),
    )
    .option("--json")
    .action(reconcile);
}

function readApi(text: string): string {
  if (!billApis.some((api) => api === text))
    throw new InvalidArgumentError(`It must be one of ${billApis.join(", ")}.`);
  return text;
}

/** Loads the catalogue without warnings, which have nothing to do with a bill. */
const loadQuietly: typeof loadCatalogue = (options, variables) =>
  loadCatalogue({ ...options, log: createLog({ LOG_LEVEL: "silent" }) }, variables);

async function reconcile(options: ReconcileOptions): Promise<void> {
  const { provider, from, to, tolerance } = options;
  if ((options.file === undefined) === (options.online === undefined))
    throw new OperatorError("Name the bill by either --file or --online.");
  const report = await withHub(async (hub) => {
    const bill = await openBill(hub, options);
    const compared = await compareBill(hub, { provider, from, to, bill, tolerance });
    await storeBillReport(hub, compared);
    return compared;
  }, loadQuietly);
  printResult(options, report, formatReport(report));
  if (hasDifferences(report)) process.exitCode = 1;
}

async function openBill(hub: Hub, options: ReconcileOptions): Promise<Bill> {
  const { provider, file, online, keyVariable, ...period } = options;
  if (file !== undefined) return openBillFile(file);
  const apiKey = keyVariable === undefined ? null : (readVariables()[keyVariable] ?? null);
  if (keyVariable !== undefined && apiKey === null)
    throw new OperatorError(`${keyVariable} is not set, or is not a variable of a provider (CATALOGUE_VARIABLES).`);
  return openOnlineBill({ hub, provider, apiKey }, online === true ? null : (online as BillApiName), period);
}

function formatReport(report: BillReport): string {
  const { provider, from, to, source, equal, billed_not_known, known_not_billed, differing } = report;
  const noun = report.matched_by === "day" ? "day" : "job";
  const countOf = (count: number) => `${count} ${noun}${count === 1 ? "" : "s"}`;
  const { without_cost: uncosted, without_handle: unnamed } = report;
  const sections = [
    formatSection(
      `${countOf(billed_not_known.count)} billed and not known: ${billed_not_known.billed} EUR`,
      billed_not_known,
    ),
    formatSection(
      `${countOf(known_not_billed.count)} known and not billed: ${known_not_billed.known} EUR`,
      known_not_billed,
    ),
    formatSection(
      `${countOf(differing.count)} with another cost: billed ${differing.billed} EUR, known ${differing.known} EUR`,
      differing,
    ),
  ];
  return [
    `${provider} from ${from} to ${to}, by ${source}`,
    `${countOf(equal.count)} without a difference: billed ${equal.billed} EUR, known ${equal.known} EUR`,
    ...sections.flat(),
    ...(uncosted > 0 ? [`${countOf(uncosted)} known and billed, of which one side states no cost`] : []),
    ...(unnamed.count > 0
      ? [`${unnamed.count} without an id of the provider, which cannot be looked up: ${unnamed.cost} EUR`]
      : []),
    hasDifferences(report) ? "There are differences." : "Everything agrees.",
  ].join("\n");
}

const formatSection = (heading: string, { items, count }: { items: BillDifference[]; count: number }): string[] => [
  heading,
  ...items.map(formatItem),
  ...(count > items.length ? [`  … and ${count - items.length} smaller ones`] : []),
];

const formatItem = ({ subject, generation_id, at, billed, known }: BillDifference): string =>
  `  ${[subject, at, generation_id, `billed ${billed ?? "–"}`, `known ${known ?? "–"}`].filter(Boolean).join("  ")}`;
