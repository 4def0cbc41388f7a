import { cp, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makeDataDir } from "../e2e/data-dir";
import { type HubOptions, runCli, startHub } from "../e2e/server";
import { runProgram } from "../scripts/build/run.mjs";
import { ensureBuilt } from "../scripts/build/ensure-built.mjs";
import { measureHub } from "../test/process-memory";
import { quantile } from "./load";
import { checkBound, printLine, printTitle } from "./report";

const ROUNDS = 5;
const MAX_START_S = 1.2;
const MAX_BUILD_S = 20;
const MAX_HUB_MB = 230;
const MAX_POSTGRES_MB = 100;
/** What a hub has done at its start is over by then, such as its first sweep. */
const IDLE_MS = 30_000;

/** Measures how long a build, a start and a command take, and the memory of an idle hub. */
export async function benchStart(): Promise<void> {
  printTitle(`Start and size, medians of ${ROUNDS}`);
  await ensureBuilt(["client", "server", "pages"]);
  const dataDir = await makeDataDir();
  try {
    const first = await timeSeconds(() => startAndStop({ dataDir }));
    printLine(`  first start, with a new database: ${first.toFixed(2)} s`);
    const starts = await repeat(() => timeStart({ dataDir, command: ["npm", "start"] }));
    const commands = await repeat(() => timeSeconds(() => runCli(["account", "--help"], {})));
    const beside = await startHub({ dataDir });
    const listed = await repeat(() => timeSeconds(() => beside.cli("worker-token", "list")));
    await sleep(IDLE_MS);
    const { hub, postgres } = await measureHub(beside);
    await beside.stop();
    checkBound("npm start until it is ready", starts, "at most", MAX_START_S, " s");
    printLine(`  npm run hub -- account --help: ${commands.toFixed(2)} s; worker-token list: ${listed.toFixed(2)} s`);
    checkBound("memory of an idle hub", hub, "at most", MAX_HUB_MB, " MB");
    checkBound("memory of its idle Postgres", postgres, "at most", MAX_POSTGRES_MB, " MB");
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
  checkBound("first build", await timeFirstBuild(), "at most", MAX_BUILD_S, " s");
}

async function repeat(measure: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) times.push(await measure());
  return quantile(times, 0.5);
}

async function timeSeconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1_000;
}

async function startAndStop(options: HubOptions): Promise<void> {
  await (await startHub(options)).stop();
}

/** Returns the seconds until a hub says that it is ready. */
async function timeStart(options: HubOptions): Promise<number> {
  const began = performance.now();
  const hub = await startHub(options);
  const seconds = (performance.now() - began) / 1_000;
  await hub.stop();
  return seconds;
}

const OWN = ["app", "inngest", "prisma", "scripts", "server"];
const BUILT = path.join("prisma", "client");

/** Returns the seconds of a build in a copy of the project in which nothing is built. */
async function timeFirstBuild(): Promise<number> {
  const root = path.resolve(import.meta.dirname, "..");
  const copy = await mkdtemp(path.join(os.tmpdir(), "hub-build-"));
  try {
    // Links cost nothing; Next does not follow a symbolic one out of the project.
    await runProgram("cp", ["-al", path.join(root, "node_modules"), copy]).catch(() =>
      cp(path.join(root, "node_modules"), path.join(copy, "node_modules"), { recursive: true }),
    );
    for (const folder of OWN)
      await cp(path.join(root, folder), path.join(copy, folder), {
        recursive: true,
        filter: (source) => path.relative(root, source) !== BUILT,
      });
    for (const file of ROOT_FILES) await cp(path.join(root, file), path.join(copy, file));
    return await timeSeconds(() =>
      runProgram(process.execPath, [path.join(copy, "scripts", "build.mjs")], { quiet: true }),
    );
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
