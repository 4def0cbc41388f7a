import { access, constants, mkdir } from "node:fs/promises";
import path from "node:path";
import { OperatorError } from "../lib/operator-error";

/** Makes the data directory when it is missing, and answers its whole path. OperatorError when it cannot be used. */
export async function openDataDir(folder: string): Promise<string> {
  const whole = path.resolve(folder);
  // A root's Postgres runs as another user, who must pass to its own folder and see nothing else.
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  try {
    await mkdir(whole, { recursive: true, mode });
    await access(whole, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new OperatorError(
      `Cannot write to the data directory ${whole} (${code ?? message}): let this user write there, or name another one by HUB_DATA_DIR.`,
    );
  }
  return whole;
}
