import { chmod, cp, lstat, readdir, readFile, rename } from "node:fs/promises";
import path from "node:path";
import { removeAbandonedDrafts, withDraft } from "./draft";

/** Copies Postgres below `shelf`, once for each version, where every user can run it. Answers the copy. */
export async function copyBinaries(native: string, targetFolder: string): Promise<string> {
  const manifest = await readFile(path.join(path.dirname(native), "package.json"), "utf8");
  const copy = path.join(targetFolder, `postgres-${(JSON.parse(manifest) as { version: string }).version}`);
  await removeAbandonedDrafts(copy);
  if (await exists(copy)) return copy;
  await withDraft(copy, async (draft) => {
    const draftCopy = path.join(draft, "native");
    await cp(native, draftCopy, { recursive: true, verbatimSymlinks: true });
    await makeReadable(draftCopy);
    // Another hub may have been quicker; its copy is as good.
    await rename(draftCopy, copy).catch(async (error: unknown) => {
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
async function makeReadable(folder: string) {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const isExecutable = entry.isDirectory() || path.basename(entry.parentPath) === "bin";
    await chmod(file, isExecutable ? 0o755 : 0o644);
  }
}
