import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { copyDataDir, makeDataDir } from "../../e2e/data-dir";
import { runToEnd } from "../../e2e/server";

// Starts and stops whole processes, which takes time on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const folders: string[] = [];
async function dataDir(make = makeDataDir): Promise<string> {
  const folder = await make();
  folders.push(folder);
  return folder;
}
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function startError(env: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await runToEnd(["dist/main.js"], { HUB_DATA_DIR: await dataDir(), ...env });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).not.toMatch(/^\s+at /m);
  return stderr.trim();
}
const secret = "0123456789abcdef0123456789abcdef";

test("reports a port that is in use", async () => {
  const server = createServer().listen(0);
  const { port } = server.address() as { port: number };
  expect(await startError({ PORT: String(port) })).toBe(
    `Port ${port} is taken: stop what listens there, or set PORT to another one.`,
  );
  server.close();
});

test("reports an unreachable database without its password", async () => {
  const printed = await startError({ DATABASE_URL: "postgres://hub:topsecret@127.0.0.1:1/hub", HUB_SECRET: secret });
  expect(printed).toMatch(/^Cannot reach the database hub at 127\.0\.0\.1:1 .*: check DATABASE_URL\.$/);
  expect(printed).not.toContain("topsecret");
});

test("exits with 1 when nobody reads its error", async () => {
  const env = { PATH: process.env.PATH, PORT: "0", DATABASE_URL: "postgres://hub@127.0.0.1:1/hub", HUB_SECRET: secret };
  const settings = { ...env, HUB_DATA_DIR: await dataDir() } as unknown as NodeJS.ProcessEnv;
  const child = spawn(process.execPath, ["dist/main.js"], { env: settings, stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.destroy();
  child.stderr.destroy();
  expect(await once(child, "exit")).toEqual([1, null]);
});

test("reports all issues of the environment at once", async () => {
  const printed = await startError({ PORT: "many", LOG_LEVEL: "loud" });
  expect(printed.split("\n").map((line) => line.split(":")[0])).toEqual(["PORT", "LOG_LEVEL"]);
});

test("reports a data directory that cannot be created", async () => {
  const file = path.join(await dataDir(), "file");
  await writeFile(file, "");
  expect(await startError({ HUB_DATA_DIR: file })).toMatch(/^Cannot write to the data directory .*\/file \(ENOTDIR\)/);
  expect(await startError({ HUB_DATA_DIR: "/proc/hub" })).toMatch(/^Cannot write to the data directory \/proc\/hub \(/);
});

test("reports the issues of a catalogue, each with its line", async () => {
  // The database is opened first.
  const folder = await dataDir(copyDataDir);
  const file = path.join(folder, "catalogue.yaml");
  await writeFile(file, "models:\n  - id: Bad Id\n    routes: [{ provider: nobody }]\n");
  expect(await startError({ HUB_DATA_DIR: folder, HUB_CATALOGUE: file })).toContain(`${file}:2: models[0].id: `);
});

test("reports a Postgres that cannot start", async () => {
  const folder = await dataDir();
  await mkdir(path.join(folder, "postgres", "data"), { recursive: true });
  await writeFile(path.join(folder, "postgres", "data", "PG_VERSION"), "no version");
  expect(await startError({ HUB_DATA_DIR: folder })).toMatch(
    /^The embedded Postgres did not start: see .*postgres\.log\.$/,
  );
});
