import type { Command } from "commander";
import { recordAudit } from "../domain/audit/record-audit";
import { printResult, type OutputOptions, withHub } from "./command";

/** Adds the `audit` command. */
export function addAuditCommand(program: Command): void {
  program
    .command("audit")
    .description("verify every balance, hold and status; exit 1 on violations")
    .option("--full", "read everything again, also the months that are closed")
    .option("--json")
    .action(auditLedger);
}

async function auditLedger({ full = false, ...options }: OutputOptions & { full?: boolean }): Promise<void> {
  const result = await withHub((hub) => recordAudit(hub, { isFull: full }));
  const { closed_until, accounts, generations, entries, balance, reserved, excess, lost, violations } = result;
  const lines = violations.map(({ check, subject, message }) => `${check}: ${subject}: ${message}`);
  const summary = [
    `${accounts} accounts, ${generations} generations, ${entries} ledger entries`,
    `${balance} EUR in balances, of which ${reserved} EUR held; ${excess} EUR of costs above estimates, not charged`,
    ...(closed_until ? [`Up to ${closed_until} from the closings; --full reads everything again.`] : []),
    ...(lost > 0 ? [`${lost} ${lost === 1 ? "attempt" : "attempts"} may have been billed by their providers`] : []),
    violations.length === 0 ? "Everything adds up." : `${violations.length} violations`,
  ];
  printResult(options, result, [...lines, ...summary].join("\n"));
  if (violations.length > 0) process.exitCode = 1;
}
