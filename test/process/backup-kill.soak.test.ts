import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test, vi } from "vitest";
import { makeDataDir } from "../../e2e/data-dir";
import { runCli, startHub } from "../../e2e/server";

// Starts and kills whole processes, which takes minutes.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 120_000 });
const KILLS = 10;

const folder = await mkdtemp(path.join(os.tmpdir(), "hub-backup-kill-"));
const dataDirs: string[] = [];
const newDataDir = async () => dataDirs[dataDirs.push(await makeDataDir()) - 1]!;
afterAll(async () => {
  for (const place of [folder, ...dataDirs]) await rm(place, { recursive: true, force: true });
});

/** Runs a command and kills it after this many milliseconds. Returns whether it had ended before that. */
async function runAndKill(values: string[], dataDir: string, ms: number): Promise<boolean> {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, HUB_DATA_DIR: dataDir, LOG_LEVEL: "error" } as unknown as NodeJS.ProcessEnv;
  const child = spawn(process.execPath, ["dist/hub.js", ...values], { env, stdio: "ignore" });
  const ended = new Promise<boolean>((resolve) => child.once("exit", (code) => resolve(code === 0)));
  await Promise.race([ended, sleep(ms)]);
  child.kill("SIGKILL");
  return ended;
}

test("a killed backup is none, and a killed restore can be run again", async () => {
  const hub = await startHub();
  const headers = { Authorization: `Bearer ${hub.key}` };
  const upload = async (size: number) => {
    const form = new FormData();
    form.append("file", new Blob(["a".repeat(size)]), "large.txt");
    return (await fetch(`${hub.url}/api/v1/hub/files`, { method: "POST", headers, body: form })).status;
  };
  for (const size of [40_000_000, 9_000_000, 8_388_608, 1]) expect(await upload(size)).toBe(201);

  const complete = path.join(folder, "complete.tar");
  expect(await hub.cli("backup", "--to", complete)).toMatchObject({ code: 0 });
  for (let kill = 0; kill < KILLS; kill += 1) {
    const target = path.join(folder, `killed-${kill}${kill % 2 ? ".tar" : ""}`);
    const isWhole = await runAndKill(["backup", "--to", target], hub.dataDir, 400 + kill * 120);
    expect(existsSync(target)).toBe(isWhole);
    if (!isWhole && existsSync(`${target}.partial`)) {
      const refused = await runCli(["restore", "--from", `${target}.partial`], { HUB_DATA_DIR: await newDataDir() });
      expect(refused).toMatchObject({ code: 1, stdout: "" });
      expect(refused.stderr).toContain("is not a whole backup");
    }
  }
  await hub.stop();

  const dataDir = await newDataDir();
  const restore = ["restore", "--from", complete, "--without-tombstones"];
  for (let kill = 0; kill < KILLS; kill += 1) if (await runAndKill(restore, dataDir, 600 + kill * 300)) break;
  const last = await runCli(restore, { HUB_DATA_DIR: dataDir });
  const isRefused = last.stderr.includes("has a hub already");
  expect(isRefused || last.stdout.includes("Everything adds up.")).toBe(true);
  expect(await runCli(["audit"], { HUB_DATA_DIR: dataDir })).toMatchObject({ code: 0 });

  const twin = await startHub({ dataDir });
  const list = (await (await fetch(`${twin.url}/api/v1/hub/files`, { headers })).json()) as { data: { id: string }[] };
  expect(list.data).toHaveLength(4);
  const sizes = await Promise.all(
    list.data.map(async ({ id }) => {
      const response = await fetch(`${twin.url}/api/v1/hub/files/${id}`, { headers });
      return (await response.arrayBuffer()).byteLength;
    }),
  );
  expect(sizes.sort((a, b) => a - b)).toEqual([1, 8_388_608, 9_000_000, 40_000_000]);
  expect(twin.key).toBe("");
  await twin.stop();
  expect((await readdir(folder)).filter((name) => name === "complete.tar")).toHaveLength(1);
});
