import { type Command, InvalidArgumentError } from "commander";
import { auditFiles, type FileAudit, recordAudit } from "../domain/audit";
import { printResult, type OutputOptions, withHub } from "./command";
import { formatBytes } from "./format-bytes";

const DEFAULT_FILES = 1_000;

interface Options extends OutputOptions {
  full?: boolean;
  /** How many files to check; true for the default. */
  files?: number | "all" | true;
}

/** Adds the `audit` command. */
export function addAuditCommand(program: Command): void {
  program
    .command("audit")
    .description("verify every balance, hold and status; exit 1 on violations")
    .option("--full", "read everything again, also the months that are closed")
    .option(
      "--files [count]",
      `also compare this many random files (or all) with the storage; with --full, read their content (default: ${DEFAULT_FILES})`,
      readCount,
    )
    .option("--json")
    .action(auditHub);
}

function readCount(text: string): number | "all" {
  if (text === "all") return text;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a number of files, or "all".');
  return Number(text);
}

async function auditHub({ full: isFull = false, files: count, ...options }: Options): Promise<void> {
  const { ledger, files } = await withHub(async (hub) => ({
    ledger: await recordAudit(hub, { isFull }),
    files:
      count === undefined ? null : await auditFiles(hub, { count: count === true ? DEFAULT_FILES : count, isFull }),
  }));
  const { closed_until, accounts, generations, entries, balance, reserved, excess, lost, bought_again } = ledger;
  const violations = [...ledger.violations, ...(files?.violations ?? [])];
  const lines = violations.map(({ check, subject, message }) => `${check}: ${subject}: ${message}`);
  const summary = [
    `${accounts} accounts, ${generations} generations, ${entries} ledger entries`,
    `${balance} EUR in balances, of which ${reserved} EUR reserved; ${excess} EUR of costs above estimates, not charged`,
    ...(closed_until ? [`Up to ${closed_until} from the closings; --full reads everything again.`] : []),
    ...(lost > 0 ? [`${lost} ${lost === 1 ? "attempt" : "attempts"} may have been billed by their providers`] : []),
    ...(bought_again > 0 ? [`${bought_again} bought again after a response was lost`] : []),
    ...(files ? [describeFiles(files, isFull)] : []),
    violations.length === 0 ? "Everything adds up." : `${violations.length} violations`,
  ];
  const counted = files && { files: { checked: files.files, bytes: files.bytes } };
  printResult(options, { ...ledger, ...counted, violations }, [...lines, ...summary].join("\n"));
  if (violations.length > 0) process.exitCode = 1;
}

const describeFiles = ({ files, bytes }: FileAudit, isFull: boolean): string =>
  `${files} files with ${formatBytes(bytes)} compared with the storage${isFull ? ", and read" : ""}`;
