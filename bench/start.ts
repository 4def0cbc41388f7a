import { cp, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makeDataDir } from "../e2e/data-dir";
import { runCli, startHub } from "../e2e/server";
import { runProgram } from "../scripts/build/run.mjs";
import { ensureBuilt } from "../scripts/build/ensure-built.mjs";
import { warmUpPaths } from "../server/process/warm-up";
import { measureHub } from "../test/process-memory";
import { median, timeOnce, timeRepeatedly } from "./load";
import { checkBound, printLine, printTitle } from "./report";

const ROUNDS = 5;
const MAX_START_S = 1.2;
const MAX_BUILD_S = 20;
const MAX_HUB_MB = 230;
const MAX_POSTGRES_MB = 100;
const MAX_WAIT_MS = 50;
/** By then, work of the start such as the first sweep is done. */
const IDLE_MS = 30_000;

/** Measures how long a build, a start and a command take, and the memory of an idle hub. */
export async function benchStart(): Promise<void> {
  printTitle(`Start and size, medians of ${ROUNDS}`);
  await ensureBuilt(["client", "server", "pages"]);
  const dataDir = await makeDataDir();
  try {
    const first = await timeOnce(async () => (await startHub({ dataDir })).stop());
    printLine(`  first start, with a new database, and its stop: ${(first.ms / 1_000).toFixed(2)} s`);
    const starts: number[] = [];
    while (starts.length < ROUNDS) {
      const { ms, result: started } = await timeOnce(() => startHub({ dataDir, command: ["npm", "start"] }));
      await started.stop();
      starts.push(ms / 1_000);
    }
    const commands = await repeat(() => runCli(["account", "--help"], {}));
    const beside = await startHub({ dataDir });
    const listed = await repeat(() => beside.cli("worker-token", "list"));
    await sleep(IDLE_MS);
    const { hub, postgres } = await measureHub(beside);
    const waitMs = await measureBesideFirstPages(beside.url);
    await beside.stop();
    checkBound("npm start until it is ready", median(starts), "at most", MAX_START_S, " s");
    printLine(`  npm run hub -- account --help: ${commands.toFixed(2)} s; worker-token list: ${listed.toFixed(2)} s`);
    checkBound("memory of an idle hub", hub, "at most", MAX_HUB_MB, " MB");
    checkBound("memory of its idle Postgres", postgres, "at most", MAX_POSTGRES_MB, " MB");
    checkBound("longest request beside the first pages", waitMs, "at most", MAX_WAIT_MS, " ms");
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
  checkBound("first build", await timeFirstBuild(), "at most", MAX_BUILD_S, " s");
}

const repeat = async (work: () => Promise<unknown>): Promise<number> =>
  median(await timeRepeatedly(ROUNDS, work)) / 1_000;

/** Returns the longest time of a small request, in milliseconds, while the first pages and calls of a console are served. */
async function measureBesideFirstPages(url: string): Promise<number> {
  const request = async (path: string) => (await fetch(url + path, { redirect: "manual" })).arrayBuffer();
  let isDone = false;
  const pages = (async () => {
    for (const path of warmUpPaths) await request(path);
    isDone = true;
  })();
  let longestMs = 0;
  while (!isDone) longestMs = Math.max(longestMs, (await timeOnce(() => request("/api/v1/health"))).ms);
  await pages;
  return longestMs;
}

const OWN = ["app", "inngest", "prisma", "scripts", "server"];
const BUILT = path.join("prisma", "client");

/** Returns the seconds of a build in a copy of the project in which nothing is built. */
async function timeFirstBuild(): Promise<number> {
  const root = path.resolve(import.meta.dirname, "..");
  const copy = await mkdtemp(path.join(os.tmpdir(), "hub-build-"));
  try {
    // Hard links cost nothing; Next does not follow symbolic links out of the project.
    await runProgram("cp", ["-al", path.join(root, "node_modules"), copy]).catch(() =>
      cp(path.join(root, "node_modules"), path.join(copy, "node_modules"), { recursive: true }),
    );
    for (const folder of OWN)
      await cp(path.join(root, folder), path.join(copy, folder), {
        recursive: true,
        filter: (source) => path.relative(root, source) !== BUILT,
      });
    for (const file of ROOT_FILES) await cp(path.join(root, file), path.join(copy, file));
    const build = [path.join(copy, "scripts", "build.mjs")];
    return (await timeOnce(() => runProgram(process.execPath, build, { quiet: true }))).ms / 1_000;
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

const ROOT_FILES = [
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "next.config.js",
  "postcss.config.mjs",
  "prisma.config.ts",
  "proxy.ts",
  "instrumentation-client.ts",
];
