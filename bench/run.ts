import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { readEnv } from "../server/env";
import { composeHub } from "../server/compose-hub";
import { findFreePort, startThrowawayCluster, withClient } from "../test/cluster";
import { benchAdmin } from "./admin";
import { benchChat, writeCatalogue } from "./chat";
import { startChild } from "./child";
import { benchConsole } from "./console";
import { benchEngine } from "./engine";
import { benchGrowth } from "./growth";
import { benchInngest } from "./inngest";
import { benchLatency } from "./latency";
import { benchMetrics } from "./metrics";
import { startEmptyNext } from "./next-empty";
import { benchPolls } from "./polls";
import { benchPressure } from "./pressure";
import { benchProcesses } from "./processes";
import { benchProviders } from "./providers";
import { missedBounds, printLine, printTitle } from "./report";
import { benchRest } from "./rest";
import { benchStart } from "./start";
import { benchWebhooks } from "./webhooks";
import { benchWorkers } from "./workers";

// As server/main.ts does, for Inngest's SDK.
process.env = { ...process.env };
// Measures each part and its baseline in one run on this machine; the ratios are what counts.
const parts = process.argv.slice(2);
const includesPart = (name: string) => parts.length === 0 || parts.includes(name);

const dataDir = await mkdtemp(path.join(os.tmpdir(), "hub-bench-"));
// Without settings that trade durability for speed, as in production.
const cluster = await startThrowawayCluster({ max_connections: "200", shared_buffers: "512MB" });
await withClient(`${cluster.url}/postgres`, (client) => client.query("CREATE DATABASE bench TEMPLATE template_hub"));
const upstreamPort = await findFreePort();
const settings = {
  DATABASE_URL: `${cluster.url}/bench`,
  DATABASE_POOL_SIZE: "16",
  SANDBOX: "on",
  HUB_DATA_DIR: dataDir,
  HUB_SECRET: "a secret of at least thirty-two characters",
  PORT: String(await findFreePort()),
  HUB_CATALOGUE: await writeCatalogue(dataDir, upstreamPort),
  RATE_LIMIT_WRITES_PER_MINUTE: "1000000000",
  RATE_LIMIT_READS_PER_MINUTE: "1000000000",
  LOG_LEVEL: "warn",
};
const composition = await composeHub(readEnv(settings), settings.DATABASE_URL);
const { hub } = composition;
const base = `http://127.0.0.1:${settings.PORT}`;
try {
  // Chats run before `rest`, because they end with an audit, and `rest` inserts a history without ledger entries.
  if (includesPart("chat")) {
    const host = await startChild("host.ts", settings);
    await benchChat(hub, base, { upstreamPort, databaseUrl: settings.DATABASE_URL });
    await host.stop();
  }
  if (includesPart("pressure")) {
    const host = await startChild("host.ts", settings);
    await benchPressure(hub, base, upstreamPort);
    await host.stop();
  }
  if (includesPart("polls")) {
    const host = await startChild("host.ts", settings);
    await benchPolls(hub, base);
    await host.stop();
  }
  // Inngest runs before `rest`, because its hub would start the generations that `rest` leaves queued.
  if (includesPart("inngest")) await benchInngest(hub, settings);
  if (includesPart("rest")) {
    const next = await startEmptyNext(await findFreePort());
    const host = await startChild("host.ts", settings);
    await benchRest(hub, base, next.url).finally(next.stop);
    await host.stop();
  }
  if (includesPart("console")) await benchConsole(parts.filter((part) => part.startsWith("/")));
  if (includesPart("start")) await benchStart();
  if (includesPart("latency")) await benchLatency();
  if (includesPart("metrics")) await benchMetrics(hub);
  if (includesPart("engine")) await benchEngine(hub, settings.DATABASE_URL);
  if (includesPart("processes")) await benchProcesses(hub, settings);
  if (includesPart("providers")) await benchProviders(settings.DATABASE_URL, dataDir);
  if (includesPart("webhooks")) await benchWebhooks(hub, { databaseUrl: settings.DATABASE_URL, folder: dataDir });
  if (includesPart("workers")) await benchWorkers(hub, settings.DATABASE_URL);
  if (includesPart("admin")) await benchAdmin(hub, settings);
  if (includesPart("growth"))
    await benchGrowth(cluster.url, settings, Number(parts[parts.indexOf("growth") + 1]) || undefined);
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
