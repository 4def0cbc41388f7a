import { type ChildProcess, execFile, spawn } from "node:child_process";
import { chown, mkdir, open, stat } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type { Owner } from "./owner";

export interface ClusterPlace {
  /** Holds `bin`, `lib` and `share`. */
  binaries: string;
  /** The cluster's data directory. */
  data: string;
  owner: Owner | null;
  port: number;
}

/** Makes the cluster when there is none. Only this machine's loopback may connect, with the password. */
export async function makeCluster({ binaries, data, owner }: ClusterPlace, passwordFile: string): Promise<void> {
  if (await stat(path.join(data, "PG_VERSION")).catch(() => null)) return;
  await mkdir(data, { recursive: true, mode: 0o700 });
  if (owner) await chown(data, owner.uid, owner.gid);
  const settings = ["--username=hub", "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-sync"];
  await promisify(execFile)(
    path.join(binaries, "bin", "initdb"),
    ["-D", data, `--pwfile=${passwordFile}`, ...settings],
    {
      ...owner,
      cwd: data,
      env: { PATH: process.env.PATH, LC_ALL: "C" },
    },
  );
}

/** Starts the cluster detached, so that a signal to our process group does not stop it under requests in flight. */
export async function startCluster(
  { binaries, data, owner, port }: ClusterPlace,
  settings: Record<string, string> = {},
): Promise<ChildProcess> {
  const log = await open(path.join(data, "..", "postgres.log"), "a");
  const options = { port: String(port), listen_addresses: "127.0.0.1", unix_socket_directories: "", ...settings };
  const child = spawn(
    path.join(binaries, "bin", "postgres"),
    ["-D", data, ...Object.entries(options).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    {
      ...owner,
      cwd: data,
      detached: true,
      stdio: ["ignore", log.fd, log.fd],
      env: { PATH: process.env.PATH, LC_ALL: "C" },
    },
  );
  child.unref();
  await log.close();
  return child;
}
