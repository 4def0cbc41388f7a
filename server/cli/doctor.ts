import type { Command } from "commander";
import { runDoctor } from "../process/doctor/doctor";
import type { Finding } from "../process/doctor/finding";
import { type OutputOptions, printResult } from "./command";

/** Adds the `doctor` command. */
export function addDoctorCommand(program: Command): void {
  program
    .command("doctor")
    .description("check settings, database, storage, mail, providers, clock and disk; exit 1 if one fails")
    .option("--json")
    .action(printFindings);
}

async function printFindings(options: OutputOptions): Promise<void> {
  const findings = await runDoctor();
  const width = Math.max(...findings.map(({ check }) => check.length));
  printResult(options, { data: findings }, findings.map((finding) => formatFinding(finding, width)).join("\n"));
  if (findings.some(({ status }) => status === "fail")) process.exitCode = 1;
}

function formatFinding({ check, status, message, remedy }: Finding, width: number): string {
  const label = status === "fail" ? "FAIL" : status;
  const line = `${label.padEnd(4)}  ${check.padEnd(width)}  ${message}`;
  return remedy === null ? line : `${line}\n${" ".repeat(width + 8)}${remedy}`;
}
