import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { withLock } from "../scripts/build/lock.mjs";
import { type RunningHub, startHub } from "./server";

/** What the first start of a hub printed about its demo account. */
export type Demo = Pick<RunningHub, "key" | "demo">;

const root = path.resolve(import.meta.dirname, "..");
/** One for each user: the files of Postgres belong to whoever starts it. */
const CACHE = path.join(root, `node_modules/.cache/hub-data-${process.getuid!()}`);
const DEMO = "demo.json";

/** Creates an empty data folder that the user `postgres` can traverse. */
export async function makeDataDir(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "hub-data-"));
  await chmod(folder, 0o711);
  return folder;
}

/**
 * Creates a data folder as the first start of the built hub leaves it, with a migrated database and the demo account.
 * Copying it takes a tenth of a second; a first start takes two seconds of CPU longer than any other.
 */
export async function copyDataDir(): Promise<string> {
  const folder = await makeDataDir();
  // Node's own copy does not keep the owner of Postgres' files.
  await promisify(execFile)("cp", ["-a", `${await findPreparedDir()}/.`, folder]);
  await chmod(folder, 0o711);
  return folder;
}

/** Returns what the first start in a copied data folder has printed; null for another folder. */
export const readDemo = async (dataDir: string): Promise<Demo | null> =>
  JSON.parse(await readFile(path.join(dataDir, DEMO), "utf8").catch(() => "null")) as Demo | null;

async function findPreparedDir(): Promise<string> {
  const name = await hashBuild();
  const prepared = path.join(CACHE, name);
  await mkdir(CACHE, { recursive: true });
  // Other test workers may prepare it at the same time.
  await withLock(`${CACHE}.lock`, async () => {
    if (await exists(prepared)) return;
    for (const older of await readdir(CACHE)) await rm(path.join(CACHE, older), { recursive: true, force: true });
    const draft = path.join(CACHE, "draft");
    await mkdir(draft, { mode: 0o711 });
    const hub = await startHub({ dataDir: draft });
    await hub.stop();
    const { key, demo } = hub;
    await writeFile(path.join(draft, DEMO), JSON.stringify({ key, demo } satisfies Demo));
    await rename(draft, prepared);
  });
  return prepared;
}

const exists = (file: string): Promise<boolean> => stat(file).then(() => true, () => false); // prettier-ignore

/** Returns a hash of what a first start depends on: the built server and the migrations. */
async function hashBuild(): Promise<string> {
  const migrations = path.join(root, "prisma/migrations");
  const files = (await readdir(migrations, { recursive: true })).filter((name) => name.endsWith(".sql")).sort();
  const hash = createHash("sha256").update((await readFile(path.join(root, "dist/.stamp"), "utf8")).split("\n")[0]!);
  for (const file of files) hash.update(`\0${file}\0`).update(await readFile(path.join(migrations, file)));
  return hash.digest("hex");
}
