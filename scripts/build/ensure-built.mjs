import path from "node:path";
import { withLock } from "./lock.mjs";
import { MissingTool, rebuildStale } from "./steps.mjs";

/**
 * Builds what is missing or stale, one process of a clone at a time, and changes to the project's folder. Without the tools to build, ends the process with status 1 and one sentence on stderr.
 */
export async function ensureBuilt(names, options) {
  process.chdir(path.resolve(import.meta.dirname, "..", ".."));
  try {
    await withLock("dist/build.lock", () => rebuildStale(names, options));
  } catch (error) {
    if (!(error instanceof MissingTool)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
