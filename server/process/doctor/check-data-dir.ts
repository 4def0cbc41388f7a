import { access, constants, stat } from "node:fs/promises";
import path from "node:path";
import type { Env } from "../../env";
import { MIN_FREE_BYTES } from "../../storage/disk";
import { measureFreeBytes } from "../../storage/free-bytes";
import { fail, type Finding, ok, warn } from "./finding";

const GIBIBYTE = 1024 ** 3;

/** Checks that the data directory is usable, has free space, and hides its secrets from other users. */
export async function checkDataDir({ HUB_DATA_DIR: folder, HUB_SECRET }: Env): Promise<Finding[]> {
  if (!(await stat(folder).catch(() => null)))
    return [
      warn("data directory", `${folder} does not exist`, "Nothing to do if this hub is new: its start makes it."),
    ];
  const isWritable = await access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!isWritable)
    return [
      fail("data directory", `${folder} is not writable`, "Let the hub's user write there, or set HUB_DATA_DIR."),
    ];
  return [await checkRoom(folder), ...(HUB_SECRET ? [] : await checkSecretFile(path.join(folder, "secret")))];
}

async function checkRoom(folder: string): Promise<Finding> {
  const free = await measureFreeBytes(folder);
  const message = `${folder} has ${(free / GIBIBYTE).toFixed(1)} GiB free`;
  const remedy = "Free some space: below 32 MiB the hub rejects uploads and generations.";
  if (free < MIN_FREE_BYTES) return fail("disk", message, remedy);
  return free < GIBIBYTE ? warn("disk", message, remedy) : ok("disk", message);
}

async function checkSecretFile(file: string): Promise<Finding[]> {
  const found = await stat(file).catch(() => null);
  if (!found || (found.mode & 0o077) === 0) return [];
  return [fail("secret", `${file} can be read by other users`, `Run \`chmod 600 ${file}\`.`)];
}
