import { access, constants, mkdir } from "node:fs/promises";
import path from "node:path";
import { withLock } from "./lock.mjs";
import { CannotBuild, findStale, rebuildStale } from "./steps.mjs";

const FOLDER = "dist";
const LOCK = path.join(FOLDER, "build.lock");

/**
 * Builds what is missing or stale, one process of a clone at a time, and changes to the project's folder. Writes nothing when
 * all is built. If it cannot be built here, ends the process with status 1 and one sentence on stderr.
 */
export async function ensureBuilt(names, options) {
  process.chdir(path.resolve(import.meta.dirname, "..", ".."));
  try {
    const stale = await findStale(names);
    if (stale.length === 0) return;
    await makeFolder(stale[0]);
    await withLock(LOCK, () => rebuildStale(names, options), reportWait);
  } catch (error) {
    if (!(error instanceof CannotBuild)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

async function makeFolder({ title }) {
  try {
    await mkdir(FOLDER, { recursive: true });
    await access(FOLDER, constants.W_OK);
  } catch (error) {
    throw new CannotBuild(
      `The ${title} must be built, but nothing can be written to ${process.cwd()} (${error.code}): run \`npm run build\` there as a user who may.`,
    );
  }
}

const reportWait = (pid) =>
  process.stderr.write(`waiting for process ${pid}, which builds this clone and holds ${LOCK}\n`);
