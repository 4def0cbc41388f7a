import { randomBytes } from "node:crypto";
import { chmod, mkdir, stat } from "node:fs/promises";
import path from "node:path";
import { readOrCreateFile } from "../../lib/read-or-create-file";
import { OperatorError } from "../../lib/operator-error";
import { findBinaries } from "./binaries";
import { copyBinaries } from "./copy-binaries";
import { findOwner, type Owner } from "./owner";
import { reaches } from "./reach";

/** Where one embedded cluster lives, and how to enter it. */
export interface Home {
  binaries: string;
  /** The cluster's data directory. */
  data: string;
  log: string;
  owner: Owner | null;
  password: string;
}

// Where a root keeps what the user `postgres` must reach, when the project lies in a closed folder like /root.
const SHELF = "/var/lib/generation-hub";

/**
 * The home of the cluster that belongs to a data directory, found again at every start. The password and the
 * whereabouts stay in files that the user `postgres` cannot read.
 */
export async function openHome(dataDir: string): Promise<Home> {
  const owner = findOwner();
  const folder = owner ? await chooseFolder(dataDir, owner) : path.join(dataDir, "postgres");
  await makeFolder(folder, owner ? 0o711 : 0o700);
  const native = await findBinaries();
  const runs = !owner || (await reaches(owner, path.join(native, "bin", "postgres")));
  return {
    binaries: runs ? native : await copyBinaries(native, await makeShelf()),
    data: path.join(folder, "data"),
    log: path.join(folder, "postgres.log"),
    owner,
    password: await readOrCreateFile(path.join(dataDir, "postgres.password"), () => randomBytes(24).toString("hex")),
  };
}

async function chooseFolder(dataDir: string, owner: Owner): Promise<string> {
  const beside = path.join(dataDir, "postgres");
  if (await reaches(owner, dataDir)) return beside;
  const lived = await stat(path.join(beside, "data")).catch(() => null);
  if (lived) {
    throw new OperatorError(
      `The user "postgres" can no longer reach ${beside}: let it pass the folders above (chmod a+x), or run the hub as the user it belongs to.`,
    );
  }
  // A fresh name and not one made from the path: removing the data directory must mean starting afresh.
  const shelf = await makeShelf();
  return readOrCreateFile(path.join(dataDir, "postgres.home"), () => path.join(shelf, randomBytes(8).toString("hex")));
}

async function makeShelf(): Promise<string> {
  await makeFolder(SHELF, 0o755);
  return SHELF;
}

// A strict umask takes from the mode that mkdir is given.
async function makeFolder(folder: string, mode: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  await chmod(folder, mode);
}
