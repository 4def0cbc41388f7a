import path from "node:path";
import { withLock } from "./lock.mjs";
import { refresh } from "./steps.mjs";

/** Builds what is missing or stale, one process of a clone at a time. Paths are those of the project, wherever we were called. */
export async function ensureBuilt(names, options) {
  process.chdir(path.resolve(import.meta.dirname, "..", ".."));
  await withLock("dist/build.lock", () => refresh(names, options));
}
