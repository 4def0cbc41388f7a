import { execFileSync } from "node:child_process";
import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import { OperatorError } from "../../lib/operator-error";

export interface Owner {
  uid: number;
  gid: number;
}

const NAME = "postgres";
// Debian and Red Hat have the first, Alpine the second.
const createUserCommands: [string, string[]][] = [
  ["useradd", ["--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin", NAME]],
  ["adduser", ["-S", "-D", "-H", NAME]],
];

/**
 * Returns the user that Postgres runs as, because it refuses to run as root: `postgres`, created if missing. Null if
 * this process does not run as root.
 */
export function findOwner(): Owner | null {
  if (process.getuid?.() !== 0) return null;
  const owner = findUser() ?? createUser();
  if (owner) return owner;
  throw new OperatorError(
    `Postgres does not run as root, and the user "${NAME}" could not be created: run the hub as an ordinary user, or set DATABASE_URL.`,
  );
}

function findUser(): Owner | null {
  const number = (flag: string) => Number(execFileSync("id", [flag, NAME], { stdio: ["ignore", "pipe", "ignore"] }));
  try {
    return { uid: number("-u"), gid: number("-g") };
  } catch {
    return null;
  }
}

function createUser(): Owner | null {
  for (const [command, values] of createUserCommands) {
    try {
      execFileSync(command, values, { stdio: "ignore" });
    } catch {
      // There is no such command, or another process was faster.
    }
    const created = findUser();
    if (created) return created;
  }
  return null;
}

/** Returns whether a user may enter every folder down to `target`, and enter or execute the target itself. */
export async function canReach(owner: Owner, target: string): Promise<boolean> {
  for (let folder = await realpath(target); ; folder = path.dirname(folder)) {
    const { mode, uid, gid } = await stat(folder);
    const execute = uid === owner.uid ? 0o100 : gid === owner.gid ? 0o010 : 0o001;
    if (!(mode & execute)) return false;
    if (folder === path.dirname(folder)) return true;
  }
}
