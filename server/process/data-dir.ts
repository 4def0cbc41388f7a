import { access, chmod, constants, mkdir, stat } from "node:fs/promises";
import path from "node:path";
import { OperatorError } from "../lib/operator-error";

/** Makes the data directory when it is missing, and answers its whole path. OperatorError when it cannot be used. */
export async function openDataDir(folder: string): Promise<string> {
  const absolute = path.resolve(folder);
  // A root's Postgres runs as another user, who must pass to its own folder and see nothing else.
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  try {
    await createFolder(absolute, mode);
    await access(absolute, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new OperatorError(
      `Cannot write to the data directory ${absolute} (${code ?? message}): let this user write there, or name another one by HUB_DATA_DIR.`,
    );
  }
  return absolute;
}

// Node's own `recursive` never returns where a file system refuses new folders with ENOENT, as /proc does.
async function createFolder(folder: string, mode: number): Promise<void> {
  const found = await stat(folder).catch(() => null);
  if (found && !found.isDirectory()) throw Object.assign(new Error(`${folder} is no folder`), { code: "ENOTDIR" });
  if (found) return;
  const above = path.dirname(folder);
  if (above !== folder) await createFolder(above, mode);
  try {
    await mkdir(folder);
    // Not by mkdir, from which a strict umask would take.
    await chmod(folder, mode);
  } catch (error) {
    // Another process may have been quicker.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
