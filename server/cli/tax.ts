import type { Command } from "commander";
import { listInvoiceLines, listSupplies, parseMonth, type TaxHub } from "../domain/tax";
import { escapeFormula, formatCsvRow } from "../lib/csv";
import { type OutputOptions, printResult, withHub } from "./command";

interface ReportOptions extends OutputOptions {
  month: string;
}

/** Adds the `tax` commands. */
export function addTaxCommands(program: Command): void {
  const tax = program.command("tax").description("print CSV for tax returns and invoices");
  tax
    .command("supplies")
    .description("what was supplied in a month, less corrections, by country, treatment and rate")
    .requiredOption("--month <month>", "a month in UTC, such as 2026-11")
    .option("--json")
    .action((options: ReportOptions) => printReport(options, supplyColumns, listSupplies));
  tax
    .command("lines")
    .description("the invoices and credit notes that payments without a provider need, with their numbers")
    .requiredOption("--month <month>", "a month in UTC, such as 2026-11")
    .option("--json")
    .action((options: ReportOptions) => printReport(options, lineColumns, listInvoiceLines));
}

const supplyColumns = ["country", "treatment", "rate", "vat_id", "supplies", "corrections", "net", "tax"] as const;
// prettier-ignore
const lineColumns = [
  "number", "date", "kind", "corrects", "account", "email", "name", "country", "vat_id", "treatment", "rate", "net", "tax",
  "gross", "payment", "reference",
] as const;
/** What customers and operators have typed. */
const typedColumns = new Set<string>(["email", "name", "reference"]);

type Month = ReturnType<typeof parseMonth>;

async function printReport<Name extends string>(
  options: ReportOptions,
  columns: readonly Name[],
  list: (hub: TaxHub, month: Month) => Promise<Record<Name, string | number | null>[]>,
): Promise<void> {
  const month = parseMonth(options.month);
  const data = await withHub((hub) => list(hub, month));
  const rows = data.map((row) =>
    columns.map((name) => {
      const cell = row[name] === null ? null : String(row[name]);
      return typedColumns.has(name) ? escapeFormula(cell) : cell;
    }),
  );
  printResult(options, { data }, [[...columns], ...rows].map(formatCsvRow).join("").trimEnd());
}
