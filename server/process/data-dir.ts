import { access, chmod, constants, mkdir, stat } from "node:fs/promises";
import path from "node:path";
import { OperatorError } from "../lib/operator-error";

/**
 * Creates the data directory if it is missing, and returns its absolute path. Throws OperatorError if it is unusable.
 */
export async function openDataDir(folder: string): Promise<string> {
  const absolute = path.resolve(folder);
  // If root starts Postgres, it runs as another user, who must reach its own folder but read nothing else.
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
    // Not set by mkdir, because a strict umask would remove permissions.
    await chmod(folder, mode);
  } catch (error) {
    // Another process may have created it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
