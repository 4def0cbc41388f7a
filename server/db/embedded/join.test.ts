import { execFile } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { soakCount } from "../../../test/soak";
import { createLog } from "../../lib/log";
import { findOrStart } from "./find-or-start";
import { openHome } from "./home";
import { joinCluster } from "./join";
import { createMembership, type Membership } from "./membership";
import { findPostmaster } from "./postmaster";

const folders: string[] = [];
const members: Membership[] = [];

async function emptyDir(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "hub-join-"));
  await chmod(folder, 0o711);
  folders.push(folder);
  return folder;
}
/** Empty until the first test: the others copy what it has left. */
const created = await emptyDir();
folders.pop();
afterAll(() => rm(created, { recursive: true, force: true }));
/** Returns a folder with a cluster that was used before: creating one takes ten times as long as copying it. */
async function dataDir(): Promise<string> {
  const folder = await emptyDir();
  // Node's own copy does not keep the owner of Postgres' files.
  await promisify(execFile)("cp", ["-a", `${created}/.`, folder]);
  return folder;
}
async function join(folder: string, role: "server" | "guest" = "guest"): Promise<Membership> {
  const member = await joinCluster(folder, role, createLog({ LOG_LEVEL: "silent" }));
  members.push(member);
  return member;
}
const postmaster = (folder: string) => findPostmaster(path.join(folder, "postgres", "data"));
/** Finds the process that holds a server's advisory lock. */
const SERVERS = "SELECT FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ExclusiveLock'";
async function ask(url: string, text: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

afterEach(async () => {
  for (const member of members.splice(0)) await member.leave();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

test("many join an empty directory at once and get one durable cluster, which ends with the last and keeps its data", async () => {
  const all = await Promise.all([join(created, "server"), join(created), join(created)]);
  expect(new Set(all.map((member) => member.url)).size).toBe(1);
  await ask(all[0].url, "CREATE TABLE kept AS SELECT 42 AS answer");
  expect(await ask(all[0].url, "SELECT current_setting('fsync') AS fsync")).toEqual([{ fsync: "on" }]);
  const running = await postmaster(created);

  const [server, ...guests] = all;
  await server.leave();
  for (const guest of guests) {
    expect(await ask(guest.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    await guest.leave();
  }
  // The last one to leave has stopped it.
  expect(await postmaster(created)).toBeNull();
  expect(() => process.kill(running!.pid, 0)).toThrow();

  const rejoined = await join(created, "server");
  expect(await ask(rejoined.url, "SELECT answer FROM kept")).toEqual([{ answer: 42 }]);
});

test("joining while the last process leaves ends in a running cluster", async () => {
  const folder = await dataDir();
  let member = await join(folder);
  for (let round = 0; round < soakCount(2, 10); round += 1) {
    const [, next] = await Promise.all([member.leave(), join(folder)]);
    expect(await ask(next.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    member = next;
  }
});

describe("while a server runs", () => {
  let folder: string;
  let url: string;
  beforeAll(async () => {
    folder = await dataDir();
    folders.pop();
    const server = await joinCluster(folder, "server", createLog({ LOG_LEVEL: "silent" }));
    ({ url } = server);
    return async () => {
      await server.leave();
      await rm(folder, { recursive: true, force: true });
    };
  });

  test("rejects a second server in one sentence", async () => {
    await expect(join(folder, "server")).rejects.toMatchObject({
      name: "OperatorError",
      message: expect.stringContaining("Another hub already serves") as string,
    });
  });

  test("other users cannot read its password", async () => {
    const file = path.join(folder, "postgres.password");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(url).toContain(await readFile(file, "utf8"));
    await expect(ask(url.replace(/hub:\w+@/, "hub:wrong@"), "SELECT 1")).rejects.toMatchObject({ code: "28P01" });
  });

  test("a server takes its lock again after its connection ends, and the cluster keeps running", async () => {
    const running = await postmaster(folder);
    await ask(url, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()");
    await expect.poll(() => ask(url, SERVERS)).toHaveLength(1);
    expect(await postmaster(folder)).toEqual(running);
  });
});

test("a server takes its lock again although its connection ended before it was held", async () => {
  const folder = await dataDir();
  const { url } = await join(folder);
  const home = await openHome(folder);
  const entry = await findOrStart(home, { role: "server" });
  await ask(
    url,
    "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ExclusiveLock'",
  );
  await entry.ended;
  members.push(createMembership(home, "server", entry, createLog({ LOG_LEVEL: "silent" })));
  await expect.poll(() => ask(url, SERVERS)).toHaveLength(1);
});

test("restarts a crashed cluster on its port three times a minute, then reports it to the server", async () => {
  const folder = await dataDir();
  const member = await join(folder, "server");
  // The test also waits for the server's lock: a crash while the server takes it would count as the same crash.
  const servers = () => ask(member.url, SERVERS).catch(() => []);
  // SIGTERM lets a postmaster wait for its clients, and this client would keep it waiting.
  for (const signal of ["SIGTERM", "SIGKILL", "SIGQUIT"] as const) {
    const { pid, port } = (await postmaster(folder))!;
    process.kill(pid, signal);
    await expect.poll(async () => (await postmaster(folder))?.pid ?? pid).not.toBe(pid);
    await expect.poll(servers).toHaveLength(1);
    expect(await postmaster(folder)).toMatchObject({ port });
  }
  process.kill((await postmaster(folder))!.pid, "SIGQUIT");
  expect(await member.lost).toMatch(/^The embedded Postgres has ended 4 times within a minute, .*postgres\.log\.$/);
});

test("who starts a crashed cluster does so on its port, where the hub looks for it, or on another one if that is taken", async () => {
  const folder = await dataDir();
  await join(folder);
  const crash = async () => {
    const { pid, port } = (await postmaster(folder))!;
    process.kill(pid, "SIGKILL");
    await expect.poll(() => postmaster(folder)).toBeNull();
    return port;
  };
  const port = await crash();
  // Below the ports that systems give to connections: no other process is given it before the cluster runs again.
  expect(port).toBeLessThan(32_768);
  await join(folder);
  expect(await crash()).toBe(port);

  const other = createServer();
  const isListening = () => once(other.listen(port, "127.0.0.1"), "listening").then(Boolean, () => false);
  // Processes of the cluster that have not noticed its end yet keep the port for a moment.
  await expect.poll(isListening).toBe(true);
  await join(folder);
  expect((await postmaster(folder))!.port).not.toBe(port);
  other.close();
});

test("kills the cluster with the only process that uses it, and keeps it for others", async () => {
  const folder = await dataDir();
  const server = await join(folder, "server");
  const guest = await join(folder);
  await server.kill();
  expect(await ask(guest.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  await guest.kill();
  expect(await postmaster(folder)).toBeNull();
});

test.runIf(process.getuid?.() === 0)(
  "as root with a strict umask and a closed home folder, keeps the cluster where Postgres can reach it",
  async () => {
    const closedFolder = await emptyDir();
    await chmod(closedFolder, 0o700);
    const folder = path.join(closedFolder, "data");
    await mkdir(folder);
    const umask = process.umask(0o077);
    const { url } = await join(folder).finally(() => process.umask(umask));
    const home = await readFile(path.join(folder, "postgres.home"), "utf8");
    folders.push(home);
    expect(home).toMatch(/^\/var\/lib\/generation-hub\/[0-9a-f]{16}$/);
    expect(await ask(url, "SHOW data_directory")).toEqual([{ data_directory: path.join(home, "data") }]);
  },
);
