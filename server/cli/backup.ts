import path from "node:path";
import type { Command } from "commander";
import { readEnv } from "../env";
import type { RestoredRedemptions } from "../domain/vouchers";
import { createBackup } from "../process/backup/create-backup";
import { restoreBackup } from "../process/backup/restore-backup";
import { cliOperator, type OutputOptions, printResult } from "./command";

/** Adds the commands `backup` and `restore`. */
export function addBackupCommands(program: Command): void {
  program
    .command("backup")
    .description("write database, files and secret of a hub, running or not, to a new folder, or to a file *.tar")
    .requiredOption("--to <path>")
    .option("--json")
    .action(runBackup);
  program
    .command("restore")
    .description("restore a backup into an empty hub, then audit it; exit 1 on violations")
    .requiredOption("--from <path>")
    .option("--without-tombstones", "restore although what was erased since the backup was made would be back")
    .option("--json")
    .action(runRestore);
}

async function runBackup({ to, ...options }: OutputOptions & { to: string }): Promise<void> {
  const backup = await createBackup(readEnv(), path.resolve(to));
  const lines = [
    `${backup.path}: ${backup.rows} rows of ${backup.tables} tables, ${backup.files} files (${backup.bytes} bytes)`,
    ...(backup.lost > 0 ? [`${backup.lost} files have a record, but no content in the storage.`] : []),
    "It has the hub's secret and everybody's data: keep it as safe as the hub itself.",
  ];
  printResult(options, backup, lines.join("\n"));
}

interface RestoreOptions extends OutputOptions {
  from: string;
  withoutTombstones?: boolean;
}

const describeRedemptions = ({ restored, left_out }: RestoredRedemptions): string[] => [
  ...(restored > 0 ? [`Redeemed ${restored} vouchers again that were redeemed since.`] : []),
  ...left_out.map(
    ({ voucher, account }) =>
      `Voucher ${voucher} was redeemed by account ${account} since, but the backup does not have it: credit it with ` +
      "`credit grant --promotional`.",
  ),
];

async function runRestore({ from, withoutTombstones, ...options }: RestoreOptions): Promise<void> {
  const { restored, audit } = await restoreBackup(readEnv(), path.resolve(from), cliOperator(), { withoutTombstones });
  const { violations } = audit;
  const lines = [
    `Restored ${restored.rows} rows and ${restored.files} files of ${restored.created_at}.`,
    ...(restored.removed > 0 ? [`${restored.removed} files were removed while the backup was made.`] : []),
    ...(restored.migrations > 0 ? [`Applied ${restored.migrations} later migrations.`] : []),
    ...(restored.erased > 0
      ? [`Erased again ${restored.erased} accounts, people and generations that were erased since.`]
      : []),
    ...describeRedemptions(restored.redemptions),
    ...(restored.left_out.length > 0 ? [`Not the hub's, and left out: ${restored.left_out.join(", ")}`] : []),
    ...violations.map(({ check, subject, message }) => `${check}: ${subject}: ${message}`),
    violations.length === 0 ? "Everything adds up." : `${violations.length} violations`,
  ];
  printResult(options, { ...restored, violations }, lines.join("\n"));
  if (violations.length > 0) process.exitCode = 1;
}
