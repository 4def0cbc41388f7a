import type { Command } from "commander";
import { audit } from "../domain/audit/audit";
import { printResult, type OutputOptions } from "./print-result";
import { withHub } from "./with-hub";

export function addAuditCommand(program: Command): void {
  program
    .command("audit")
    .description("recompute every balance, hold and state; exit 1 when one is wrong")
    .option("--json")
    .action(run);
}

async function run(options: OutputOptions): Promise<void> {
  const found = await withHub(({ db }) => audit(db));
  const { accounts, generations, entries, balance, reserved, excess, violations } = found;
  const lines = violations.map(({ check, subject, message }) => `${check}: ${subject}: ${message}`);
  const summary = [
    `${accounts} accounts, ${generations} generations, ${entries} ledger entries`,
    `${balance} EUR on balances, ${reserved} EUR of it held; ${excess} EUR beyond estimates, charged to nobody`,
    violations.length === 0 ? "Everything adds up." : `${violations.length} violations`,
  ];
  printResult(options, found, [...lines, ...summary].join("\n"));
  if (violations.length > 0) process.exitCode = 1;
}
