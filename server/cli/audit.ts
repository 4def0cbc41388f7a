import type { Command } from "commander";
import { runAudit } from "../domain/audit/audit";
import { printResult, type OutputOptions, withHub } from "./command";

/** Adds the `audit` command. */
export function addAuditCommand(program: Command): void {
  program
    .command("audit")
    .description("verify every balance, hold and status; exit 1 on violations")
    .option("--json")
    .action(auditLedger);
}

async function auditLedger(options: OutputOptions): Promise<void> {
  const result = await withHub(({ db }) => runAudit(db));
  const { accounts, generations, entries, balance, reserved, excess, lost, violations } = result;
  const lines = violations.map(({ check, subject, message }) => `${check}: ${subject}: ${message}`);
  const summary = [
    `${accounts} accounts, ${generations} generations, ${entries} ledger entries`,
    `${balance} EUR in balances, of which ${reserved} EUR held; ${excess} EUR of costs above estimates, not charged`,
    ...(lost > 0 ? [`${lost} ${lost === 1 ? "attempt" : "attempts"} may have been billed by their providers`] : []),
    violations.length === 0 ? "Everything adds up." : `${violations.length} violations`,
  ];
  printResult(options, result, [...lines, ...summary].join("\n"));
  if (violations.length > 0) process.exitCode = 1;
}
