import { randomBytes } from "node:crypto";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { nullIfMissing } from "./folders";

/**
 * Returns the text of `file`, which is created on first use and readable only by its owner. Processes that create it at
 * the same time all get the same text.
 */
export async function readOrCreateFile(file: string, createText: () => string): Promise<string> {
  const existing = await readFile(file, "utf8").catch(nullIfMissing);
  if (existing !== null) return existing;
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  await writeFile(draft, createText(), { mode: 0o600, flag: "wx" });
  try {
    // A link appears whole or not at all, and never replaces what another process put there.
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return readFile(file, "utf8");
}
