import { chmod, cp, lstat, readdir, readFile, rename } from "node:fs/promises";
import path from "node:path";
import { removeAbandonedDrafts, withDraft } from "./draft";

/** Copies Postgres below `shelf`, once for each version, where every user can run it. Answers the copy. */
export async function copyBinaries(native: string, shelf: string): Promise<string> {
  const manifest = await readFile(path.join(path.dirname(native), "package.json"), "utf8");
  const copy = path.join(shelf, `postgres-${(JSON.parse(manifest) as { version: string }).version}`);
  await removeAbandonedDrafts(copy);
  if (await exists(copy)) return copy;
  await withDraft(copy, async (draft) => {
    const whole = path.join(draft, "native");
    await cp(native, whole, { recursive: true, verbatimSymlinks: true });
    await open(whole);
    // Another hub may have been quicker; its copy is as good.
    await rename(whole, copy).catch(async (error: unknown) => {
      if (!(await exists(copy))) throw error;
    });
  });
  return copy;
}

const exists = (file: string) =>
  lstat(file).then(
    () => true,
    () => false,
  );

// A root with a strict umask unpacks packages that nobody else may read.
async function open(folder: string) {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const runs = entry.isDirectory() || path.basename(entry.parentPath) === "bin";
    await chmod(file, runs ? 0o755 : 0o644);
  }
}
