import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { readEnv } from "../server/env";
import { composeHub } from "../server/compose-hub";
import { reservePort } from "../test/reserve-port";
import { startThrowawayCluster, withClient } from "../test/cluster";
import { benchAlone } from "./alone";
import type { Bench } from "./bench";
import { benchBudgets } from "./budgets";
import { benchChat, describeCatalogue } from "./chat";
import { startChild } from "./child";
import { benchConsole } from "./console";
import { benchConsoles } from "./consoles";
import { benchEngine } from "./engine";
import { benchGrowth } from "./growth";
import { benchInngest } from "./inngest";
import { benchLatency } from "./latency";
import { benchMarks } from "./marks";
import { benchMetrics } from "./metrics";
import { benchPolls } from "./polls";
import { benchPressure } from "./pressure";
import { benchProcesses } from "./processes";
import { missedBounds, printLine, printTitle } from "./report";
import { benchRest } from "./rest";
import { benchStart } from "./start";
import { benchWebhooks } from "./webhooks";
import { benchWorkers } from "./workers";

type Benchmark = (bench: Bench) => Promise<void>;

/** Runs a benchmark while a process of its own serves the REST API. */
const withHost =
  (run: Benchmark): Benchmark =>
  async (bench) => {
    const host = await startChild("host.ts", bench.settings);
    try {
      await run(bench);
    } finally {
      await host.stop();
    }
  };

/** Runs a benchmark with a plain object as `process.env`, as server/main.ts does: Inngest's SDK copies it for each call. */
const withPlainEnv =
  (run: Benchmark): Benchmark =>
  async (bench) => {
    const { env } = process;
    process.env = { ...env };
    await run(bench).finally(() => (process.env = env));
  };

/** Every benchmark, in the order in which they run; each measures its part and the baseline in one run. */
const benchmarks: Record<string, Benchmark> = {
  // Chats run before `rest`, because they end with an audit, and `rest` inserts a history without ledger entries.
  chat: withHost(benchChat),
  alone: withHost(benchAlone),
  budgets: withHost(benchBudgets),
  pressure: withHost(benchPressure),
  polls: withHost(benchPolls),
  // Inngest runs before `rest`, because its hub would start the generations that `rest` leaves queued.
  inngest: withPlainEnv(benchInngest),
  rest: withHost(benchRest),
  console: benchConsole,
  consoles: benchConsoles,
  start: benchStart,
  latency: benchLatency,
  metrics: benchMetrics,
  marks: benchMarks,
  engine: withPlainEnv(benchEngine),
  processes: benchProcesses,
  webhooks: withPlainEnv(benchWebhooks),
  workers: benchWorkers,
  growth: benchGrowth,
};

const values = process.argv.slice(2);
const names = values.filter((value) => value in benchmarks);
if (values.length > 0 && names.length === 0)
  throw new Error(`There is no such benchmark; choose of ${Object.keys(benchmarks).join(", ")}`);

const dataDir = await mkdtemp(path.join(os.tmpdir(), "hub-bench-"));
// Without settings that trade durability for speed, as in production.
const cluster = await startThrowawayCluster({ max_connections: "200", shared_buffers: "512MB" });
await withClient(`${cluster.url}/postgres`, (client) => client.query("CREATE DATABASE bench TEMPLATE template_hub"));
const upstreamPort = await reservePort();
const catalogue = path.join(dataDir, "catalogue.yaml");
await writeFile(catalogue, describeCatalogue(upstreamPort));
const settings = {
  DATABASE_URL: `${cluster.url}/bench`,
  DATABASE_POOL_SIZE: "16",
  SANDBOX: "on",
  HUB_DATA_DIR: dataDir,
  HUB_SECRET: "a secret of at least thirty-two characters",
  PORT: String(await reservePort()),
  HUB_CATALOGUE: catalogue,
  RATE_LIMIT_WRITES_PER_MINUTE: "1000000000",
  RATE_LIMIT_READS_PER_MINUTE: "1000000000",
  LOG_LEVEL: "warn",
};
const composition = await composeHub(readEnv(settings), settings.DATABASE_URL);
const bench: Bench = {
  hub: composition.hub,
  settings,
  base: `http://127.0.0.1:${settings.PORT}`,
  cluster: cluster.url,
  upstreamPort,
  values,
};
try {
  for (const [name, run] of Object.entries(benchmarks))
    if (names.length === 0 || names.includes(name)) await run(bench);
} finally {
  await composition.close();
  await cluster.stop();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
}
printTitle(
  missedBounds.length ? `Missed ${missedBounds.length} bounds: ${missedBounds.join("; ")}` : "Met every bound",
);
printLine("");
process.exit(missedBounds.length ? 1 : 0);
