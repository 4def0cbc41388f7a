import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { readEnv } from "../server/env";
import { composeHub } from "../server/hub";
import { freePort, startThrowawayCluster, withClient } from "../test/cluster";
import { benchChat, writeCatalogue } from "./chat";
import { startChild } from "./child";
import { benchConsole } from "./console";
import { benchEngine } from "./engine";
import { benchInngest } from "./inngest";
import { benchLatency } from "./latency";
import { startEmptyNext } from "./next-empty";
import { broken, printLine, title } from "./report";
import { benchRest } from "./rest";
import { benchWebhooks } from "./webhooks";
import { benchWorkers } from "./workers";

/** Every measurement and its baseline in one run on this machine; what counts are the ratios. */
const wanted = process.argv.slice(2);
const wants = (name: string) => wanted.length === 0 || wanted.includes(name);

const dataDir = await mkdtemp(path.join(os.tmpdir(), "hub-bench-"));
// Durable, as in production.
const cluster = await startThrowawayCluster({ max_connections: "200", shared_buffers: "512MB" });
await withClient(`${cluster.url}/postgres`, (client) => client.query("CREATE DATABASE bench TEMPLATE template_hub"));
const upstreamPort = await freePort();
const settings = {
  DATABASE_URL: `${cluster.url}/bench`,
  DATABASE_POOL_SIZE: "16",
  SANDBOX: "on",
  HUB_DATA_DIR: dataDir,
  HUB_SECRET: "a secret of at least thirty-two characters",
  PORT: String(await freePort()),
  HUB_CATALOGUE: await writeCatalogue(dataDir, upstreamPort),
  RATE_LIMIT_WRITES_PER_MINUTE: "1000000000",
  RATE_LIMIT_READS_PER_MINUTE: "1000000000",
  LOG_LEVEL: "warn",
};
const composition = await composeHub(readEnv(settings), settings.DATABASE_URL);
const { hub } = composition;
const base = `http://127.0.0.1:${settings.PORT}`;
try {
  // Before a history is written that nobody paid for: chats end with an audit.
  if (wants("chat")) {
    const host = await startChild("host.ts", settings);
    await benchChat(hub, base, upstreamPort);
    await host.stop();
  }
  // Before work is accepted that nobody does: a hub would begin it.
  if (wants("inngest")) await benchInngest(hub, settings);
  if (wants("rest")) {
    const next = await startEmptyNext(await freePort());
    const host = await startChild("host.ts", settings);
    await benchRest(hub, base, next.url).finally(next.stop);
    await host.stop();
  }
  if (wants("console")) {
    const next = await startEmptyNext(await freePort());
    await benchConsole(new URL("/", next.url).href).finally(next.stop);
  }
  if (wants("latency")) await benchLatency();
  if (wants("engine")) await benchEngine(hub, settings.DATABASE_URL);
  if (wants("webhooks")) await benchWebhooks(hub, { databaseUrl: settings.DATABASE_URL, folder: dataDir });
  if (wants("workers")) await benchWorkers(hub, settings.DATABASE_URL);
} finally {
  await composition.close();
  await cluster.stop();
  await rm(dataDir, { recursive: true, force: true });
}
title(broken.length ? `${broken.length} bounds were not kept: ${broken.join("; ")}` : "every bound was kept");
printLine("");
process.exit(broken.length ? 1 : 0);
