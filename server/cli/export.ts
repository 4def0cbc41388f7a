import { type FileHandle, open, rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { pipeline } from "node:stream/promises";
import type { Command } from "commander";
import { loadCatalogue } from "../catalogue/load";
import { contextOf, type Ctx } from "../context";
import { getAccount, getAccountById } from "../domain/accounts";
import {
  type Archive,
  deleteExport,
  getArchive,
  getExport,
  makeExport,
  openArchive,
  purgeExports,
  startExportByOperator,
} from "../domain/exports";
import type { Hub } from "../domain/hub";
import { OperatorError } from "../lib/operator-error";
import { cliOperator, type OutputOptions, printResult, withHub } from "./command";
import { formatBytes } from "./format-bytes";

interface ExportOptions extends OutputOptions {
  email: string;
  to: string;
  reason?: string;
}

const POLL_MS = 1_000;
const MAX_PURGED = 100;

/** Adds the `export` command. */
export function addExportCommand(program: Command): void {
  program
    .command("export")
    .description("write all data of an account to a ZIP archive, e.g. to answer a request of its owner")
    .requiredOption("--email <address>")
    .requiredOption("--to <file>", "the archive, which must not exist")
    .option("--reason <text>", "recorded in the audit log, e.g. a ticket number")
    .option("--json")
    .action(exportAccount);
}

async function exportAccount({ email, to, reason, ...options }: ExportOptions): Promise<void> {
  const file = await open(to, "wx", 0o600).catch((error: Error) => {
    throw new OperatorError(`The archive cannot be written: ${error.message}`);
  });
  try {
    const { id, size } = await withHub(async (hub) => {
      const { id: accountId } = await getAccount(hub, email);
      const exportId = await startExportByOperator(hub, cliOperator(), { accountId, reason });
      const account = await getAccountById(hub, accountId);
      return writeExport(contextOf(hub, account, { kind: "user" as const }, exportId), exportId, file);
    }, loadCatalogue);
    printResult(options, { id, file: to, bytes: size }, `Exported ${email} to ${to} (${formatBytes(size)}).`);
  } catch (error) {
    await rm(to, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

async function writeExport(ctx: Ctx<Hub>, id: string, file: FileHandle): Promise<Archive> {
  try {
    await waitForEnd(ctx, id);
    const archive = await getArchive(ctx, id);
    const content = await openArchive(ctx.hub, archive, { start: 0, end: archive.size - 1 });
    await pipeline(content, file.createWriteStream());
    return archive;
  } finally {
    // The file now has the content, so no copy needs to stay in the storage.
    await deleteExport(ctx, id);
    await purgeExports(ctx.hub, MAX_PURGED);
  }
}

/** Makes the export in this process, or waits until a process of the hub has made it. */
async function waitForEnd(ctx: Ctx<Hub>, id: string): Promise<void> {
  for (;;) {
    const { state, error } = await getExport(ctx, id);
    if (state === "failed") throw new OperatorError(error!);
    if (state !== "running") return;
    if (!(await makeExport(ctx.hub, new AbortController().signal, { id }))) await sleep(POLL_MS);
  }
}
