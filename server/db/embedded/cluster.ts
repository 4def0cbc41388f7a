import { type ChildProcess, execFile, spawn } from "node:child_process";
import { chown, mkdir, open, rename, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { withDraft } from "./draft";
import type { Owner } from "./owner";

interface ClusterPlace {
  /** Holds `bin`, `lib` and `share`. */
  binaries: string;
  /** The cluster's data directory. */
  data: string;
  owner: Owner | null;
  port: number;
}

// Without the hub's environment: Postgres needs no setting of it, and must not get a secret.
const environment = { LC_ALL: "C" } as unknown as NodeJS.ProcessEnv;

const findCluster = (data: string) => stat(path.join(data, "PG_VERSION")).catch(() => null);

/** Creates the cluster when there is none. Only loopback may connect, with the password. */
export async function createCluster(
  { binaries, data, owner }: Omit<ClusterPlace, "port">,
  password: string,
): Promise<void> {
  if (await findCluster(data)) return;
  // Atomic: a start that is killed leaves no unfinished cluster, and of two at the same time one wins.
  await withDraft(data, async (draft) => {
    const [folder, passwordFile] = [path.join(draft, "data"), path.join(draft, "password")];
    await mkdir(folder, { mode: 0o700 });
    await writeFile(passwordFile, password, { mode: 0o600 });
    if (owner) for (const made of [folder, passwordFile]) await chown(made, owner.uid, owner.gid);
    const settings = ["--username=hub", "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C"];
    await promisify(execFile)(
      path.join(binaries, "bin", "initdb"),
      ["-D", folder, `--pwfile=${passwordFile}`, ...settings],
      { ...owner, cwd: folder, env: environment },
    );
    await rename(folder, data).catch(async (error: unknown) => {
      if (!(await findCluster(data))) throw error;
    });
  });
}

/** Starts the cluster detached, so that a signal to our process group does not stop it under requests in flight. */
export async function startCluster(
  { binaries, data, owner, port }: ClusterPlace,
  settings: Record<string, string> = {},
): Promise<ChildProcess> {
  const log = await open(path.join(data, "..", "postgres.log"), "a", 0o600);
  const options = { port: String(port), listen_addresses: "127.0.0.1", unix_socket_directories: "", ...settings };
  const child = spawn(
    path.join(binaries, "bin", "postgres"),
    ["-D", data, ...Object.entries(options).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    {
      ...owner,
      cwd: data,
      detached: true,
      stdio: ["ignore", log.fd, log.fd],
      env: environment,
    },
  );
  child.unref();
  await log.close();
  return child;
}
