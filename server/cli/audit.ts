import type { Command } from "commander";
import { runAudit } from "../domain/audit/audit";
import { answer, type OutputOptions } from "./answer";
import { withHub } from "./session";

export function addAudit(program: Command): void {
  program
    .command("audit")
    .description("recompute every balance, hold and state; exit 1 when one is wrong")
    .option("--json")
    .action(run);
}

async function run(options: OutputOptions): Promise<void> {
  const found = await withHub(({ db }) => runAudit(db));
  const { accounts, generations, entries, balance, reserved, excess, violations } = found;
  const lines = violations.map(({ check, subject, message }) => `${check}: ${subject}: ${message}`);
  const summary = [
    `${accounts} accounts, ${generations} generations, ${entries} ledger entries`,
    `${balance} EUR on balances, ${reserved} EUR of it held; ${excess} EUR beyond estimates, charged to nobody`,
    violations.length === 0 ? "Everything adds up." : `${violations.length} violations`,
  ];
  answer(options, found, [...lines, ...summary].join("\n"));
  if (violations.length > 0) process.exitCode = 1;
}
