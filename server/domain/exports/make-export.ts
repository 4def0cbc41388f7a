import { contextOf } from "../../context";
import { newId } from "../../lib/id";
import { getAccountById } from "../accounts";
import { checkRoom } from "./check-room";
import type { ExportsHub } from "./hub";
import {
  claimExport,
  failExport,
  LEASE_MS,
  leaseLostError,
  recordFailure,
  releaseLease,
  renewLease,
  type Task,
} from "./lease";
import type { Position } from "./position";
import { countTotal } from "./read-rows";
import { ExportFailed, type Run, UnreadableFile } from "./run";
import { writePart } from "./write-part";

const RENEW_MS = 10_000;
const FIRST_RETRY_MS = 5_000;
const MAX_RETRY_MS = 300_000;
const PART_BYTES = 64 * 1024 * 1024;
const MAX_FAILURES = 8;
/** How many attempts to read a file may fail before the archive leaves it out. */
const MAX_FILE_FAILURES = 3;

/**
 * Runs one due export that no other process has leased (or the one with this id), part by part until it completes, fails or
 * `signal` aborts. Returns false if there is none. After a crash the next caller repeats at most one part; a part ends with the
 * file that brings it to `partBytes`.
 */
export async function makeExport(
  hub: ExportsHub,
  signal: AbortSignal,
  { id = null, partBytes = PART_BYTES }: { id?: string | null; partBytes?: number } = {},
): Promise<boolean> {
  const lease = newId();
  const now = hub.now();
  const [claimed] = await claimExport(hub.db, { lease, now, expires: new Date(now.getTime() + LEASE_MS), id });
  if (!claimed) return false;
  const task = { ...claimed, lease };
  const lost = new AbortController();
  const run = await openRun(hub, task, AbortSignal.any([signal, lost.signal]));
  const timer = setInterval(() => void renew(run).catch((error: Error) => lost.abort(error)), RENEW_MS);
  try {
    let position: Position | null = task.position;
    while (position) {
      await checkRoom(hub);
      position = await writePart(run, position, partBytes);
      task.failures = 0;
    }
  } catch (error) {
    if (!run.signal.aborted) await handleFailure(run, error as Error);
  } finally {
    clearInterval(timer);
    await releaseLease(hub.db, task.id, lease);
  }
  return true;
}

async function openRun(hub: ExportsHub, task: Task, signal: AbortSignal): Promise<Run> {
  const account = await getAccountById(hub, task.account_id);
  const run = { hub, ctx: contextOf(hub, account, { kind: "user" as const }, task.id), task, signal };
  if (task.total === null) {
    const [counted] = await countTotal(hub.db, account.id);
    task.total = BigInt(counted!.total);
    await renew(run);
  }
  return { ...run, done: Number(task.done), missing: [] };
}

/** Extends the lease. Rejects if it is lost, or the export was deleted. */
async function renew({ hub, task: { id, lease, total } }: Pick<Run, "hub" | "task">): Promise<void> {
  const expires = new Date(hub.now().getTime() + LEASE_MS);
  const [renewed] = await renewLease(hub.db, { id, lease, total, expires });
  if (!renewed) throw leaseLostError();
}

/** Stores when the export is tried again, or that it has failed. */
async function handleFailure({ hub, task }: Run, error: Error): Promise<void> {
  const { id, lease } = task;
  const failures = task.failures + 1;
  hub.log.warn({ err: error, export: id, failures }, "export attempt failed");
  const isFileToSkip = error instanceof UnreadableFile && failures >= MAX_FILE_FAILURES && (await isReachable(hub));
  const now = hub.now();
  if (error instanceof ExportFailed || (failures >= MAX_FAILURES && !isFileToSkip)) {
    const message = error instanceof ExportFailed ? error.message : "The export failed several times.";
    await failExport(hub.db, { id, lease, now, error: message });
    return;
  }
  const delayMs = Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), MAX_RETRY_MS);
  const next = isFileToSkip ? now : new Date(now.getTime() + delayMs);
  await recordFailure(hub.db, { id, lease, next, unreadable: isFileToSkip ? [error.fileId] : [] });
}

const isReachable = ({ storage }: ExportsHub): Promise<boolean> =>
  storage.check().then(
    () => true,
    () => false,
  );
