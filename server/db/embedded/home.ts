import { randomBytes } from "node:crypto";
import { chmod, mkdir, stat } from "node:fs/promises";
import path from "node:path";
import { readOrCreateFile } from "../../lib/read-or-create-file";
import { OperatorError } from "../../lib/operator-error";
import { findBinaries, copyBinaries } from "./binaries";
import { findOwner, type Owner, canReach } from "./owner";

/** Where one embedded cluster lives, and how to enter it. */
export interface Home {
  binaries: string;
  /** The cluster's data directory. */
  data: string;
  log: string;
  owner: Owner | null;
  password: string;
}

// Where root keeps what the user `postgres` must reach, when the project is in a closed folder such as /root.
const SHARED_FOLDER = "/var/lib/generation-hub";

/**
 * Returns the home of a data directory's cluster, the same at every start. Its password and path are stored in files
 * that the user `postgres` cannot read.
 */
export async function openHome(dataDir: string): Promise<Home> {
  const owner = findOwner();
  const folder = owner ? await chooseFolder(dataDir, owner) : path.join(dataDir, "postgres");
  await createFolder(folder, owner ? 0o711 : 0o700);
  const { native, isWhole } = await findBinaries();
  const canRun = isWhole && (!owner || (await canReach(owner, path.join(native, "bin", "postgres"))));
  return {
    binaries: canRun ? native : await copyBinaries(native, owner ? await createSharedFolder() : folder),
    data: path.join(folder, "data"),
    log: path.join(folder, "postgres.log"),
    owner,
    password: await readOrCreateFile(path.join(dataDir, "postgres.password"), () => randomBytes(24).toString("hex")),
  };
}

async function chooseFolder(dataDir: string, owner: Owner): Promise<string> {
  const localFolder = path.join(dataDir, "postgres");
  if (await canReach(owner, dataDir)) return localFolder;
  const hasData = await stat(path.join(localFolder, "data")).catch(() => null);
  if (hasData) {
    throw new OperatorError(
      `The user "postgres" can no longer reach ${localFolder}: let it pass the folders above (chmod a+x), or run the hub as the user it belongs to.`,
    );
  }
  // A new name instead of one derived from the path: removing the data directory must start afresh.
  const sharedFolder = await createSharedFolder();
  return readOrCreateFile(path.join(dataDir, "postgres.home"), () =>
    path.join(sharedFolder, randomBytes(8).toString("hex")),
  );
}

async function createSharedFolder(): Promise<string> {
  await createFolder(SHARED_FOLDER, 0o755);
  return SHARED_FOLDER;
}

// A strict umask removes permissions from the mode that is passed to mkdir.
async function createFolder(folder: string, mode: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  await chmod(folder, mode);
}
