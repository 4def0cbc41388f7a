import { execFileSync } from "node:child_process";

export interface Owner {
  uid: number;
  gid: number;
}

const NAME = "postgres";
const number = (flag: string) => Number(execFileSync("id", [flag, NAME], { stdio: ["ignore", "pipe", "ignore"] }));

/** Postgres refuses to run as root: then it runs as the user `postgres`, made when missing. Null when we are not root. */
export function findOwner(): Owner | null {
  if (process.getuid?.() !== 0) return null;
  try {
    number("-u");
  } catch {
    execFileSync("useradd", ["--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin", NAME]);
  }
  return { uid: number("-u"), gid: number("-g") };
}
