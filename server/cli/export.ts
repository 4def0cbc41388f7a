import { createWriteStream } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { pipeline } from "node:stream/promises";
import type { Command } from "commander";
import { loadCatalogue } from "../catalogue/load";
import { contextOf } from "../context";
import { getAccount, getAccountById } from "../domain/accounts";
import {
  deleteExport,
  getArchive,
  getExport,
  makeExport,
  openArchive,
  purgeExports,
  startExportForOperator,
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
  const archive = await withHub(async (hub) => {
    const { id: accountId } = await getAccount(hub, email);
    const id = await startExportForOperator(hub, cliOperator(), { accountId, reason });
    const ctx = contextOf(hub, await getAccountById(hub, accountId), { kind: "user" as const }, id);
    try {
      await waitForEnd(ctx, id);
      const made = await getArchive(ctx, id);
      const content = await openArchive(hub, made, { start: 0, end: made.size - 1 });
      await pipeline(content, createWriteStream(to, { flags: "wx", mode: 0o600 }));
      return made;
    } finally {
      // The file has it; a copy in the storage would be one too many.
      await deleteExport(ctx, id);
      await purgeExports(hub, 1);
    }
  }, loadCatalogue);
  printResult(
    options,
    { id: archive.id, file: to, bytes: archive.size },
    `Exported ${email} to ${to} (${formatBytes(archive.size)}).`,
  );
}

/** Makes the export in this process, or waits until a process of the hub has made it. */
async function waitForEnd(ctx: Parameters<typeof getExport>[0] & { hub: Hub }, id: string): Promise<void> {
  for (;;) {
    const { state, error } = await getExport(ctx, id);
    if (state === "failed") throw new OperatorError(error!);
    if (state !== "running") return;
    if (!(await makeExport(ctx.hub, new AbortController().signal, { id }))) await sleep(POLL_MS);
  }
}
