import { randomBytes } from "node:crypto";
import { chmod, mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { isAlive } from "./postmaster";

/** The drafts that this process fills, of which there may be several at once. */
const ownDrafts = new Set<string>();

/** Runs `fill` with an empty folder beside `target`, which other users may traverse, and removes it afterwards. */
export async function withDraft<T>(target: string, fill: (draft: string) => Promise<T>): Promise<T> {
  const draft = `${target}-${process.pid}-${randomBytes(4).toString("hex")}`;
  ownDrafts.add(draft);
  try {
    await mkdir(draft);
    await chmod(draft, 0o711);
    return await fill(draft);
  } finally {
    await removeDraft(draft);
    ownDrafts.delete(draft);
  }
}

/** Removes the drafts beside `target` that killed processes left behind. */
export async function removeAbandonedDrafts(target: string): Promise<void> {
  const [folder, prefix] = [path.dirname(target), `${path.basename(target)}-`];
  for (const name of await readdir(folder)) {
    const maker = name.startsWith(prefix) && /^(\d+)-[0-9a-f]{8}$/.exec(name.slice(prefix.length));
    if (!maker) continue;
    const [draft, pid] = [path.join(folder, name), Number(maker[1])];
    // A process of this hub may have the id of the one that was killed.
    const isUsed = pid === process.pid ? ownDrafts.has(draft) : isAlive(pid);
    if (!isUsed) await removeDraft(draft);
  }
}

// The children of a killed process may still write there for a moment.
const removeDraft = (draft: string) => rm(draft, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
