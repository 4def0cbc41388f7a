import path from "node:path";
import { withLock } from "./lock.mjs";
import { rebuildStale } from "./steps.mjs";

/** Builds what is missing or stale; processes of one clone take turns. Changes to the project's folder. */
export async function ensureBuilt(names, options) {
  process.chdir(path.resolve(import.meta.dirname, "..", ".."));
  await withLock("dist/build.lock", () => rebuildStale(names, options));
}
