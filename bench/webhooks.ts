import { type ChildProcess, fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";
import path from "node:path";
import type { Hub } from "../server/context";
import { createSafeFetch } from "../server/lib/safe-fetch";
import { forkHub } from "../test/webhooks/fork-hub";
import { measureLoad, quantile } from "./load";
import { checkBound, printLine, printLoad, printTitle } from "./report";
import { createEventSource, type EventSource, publishToEngine } from "./webhook-accounts";
import { deriveHub } from "../test/derive-hub";

interface BenchSettings {
  databaseUrl: string;
  folder: string;
}

interface Receiver {
  url: string;
  host: string;
  /** Returns the milliseconds from commit to request of each delivery since the last call. */
  takeLatencies(): Promise<number[]>;
  stop(): void;
}

const BACKLOG = 2_000;
const authority = readFileSync(path.resolve("test/authority/authority.cert.pem"));

/** Measures the latency and rate of deliveries, beside a bare client, and what dead receivers cost the others. */
export async function benchWebhooks(hub: Hub, settings: BenchSettings): Promise<void> {
  const receivers = await Promise.all(Array.from({ length: 4 }, openReceiver));
  const misbehaving = forkChild("webhook-matrix.ts");
  const matrix = await nextMessage<{ url: string; host: string }[]>(misbehaving);
  const OUTBOUND_ALLOW_HOSTS = [...receivers, ...matrix].map(({ host }) => host).join(",");
  const env = { ...hub.env, OUTBOUND_ALLOW_HOSTS: OUTBOUND_ALLOW_HOSTS.split(",") };
  const source = publishToEngine(
    deriveHub(hub, { env, fetch: createSafeFetch({ allowHosts: env.OUTBOUND_ALLOW_HOSTS }) }),
  );
  const child = await forkHub({ ...settings, secret: hub.secret }, { OUTBOUND_ALLOW_HOSTS });
  try {
    const healthy = await createEventSource(source, "healthy", receivers.map(({ url }) => url)); // prettier-ignore
    await benchBacklog(source, receivers[0]!);
    await benchNeighbours(healthy, receivers, await createFailingSources(source, matrix));
  } finally {
    await child.kill9();
    misbehaving.disconnect();
    for (const receiver of receivers) receiver.stop();
  }
}

async function benchBacklog(hub: Hub, receiver: Receiver): Promise<void> {
  printTitle(`${BACKLOG} events to one fast receiver`);
  const bare = await measureLoad(() => sendPost(receiver.url), { connections: 16, seconds: 5 });
  printLoad("the same POST by a bare client, one connection each", bare);
  await receiver.takeLatencies();
  const alone = await createEventSource(hub, "alone", [receiver.url]);
  const startedAt = performance.now();
  for (let n = 0; n < BACKLOG; n += 50) await Promise.all(Array.from({ length: 50 }, () => alone.emitEvents()));
  const latencies = await collectLatencies([receiver], BACKLOG);
  const perSecond = BACKLOG / ((performance.now() - startedAt) / 1000);
  printLoad("deliveries", { perSecond, p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) });
  printLine(`  deliveries / bare client: ${(perSecond / bare.perSecond).toFixed(2)}`);
  checkBound("missing or duplicate deliveries", Math.abs(latencies.length - BACKLOG), "at most", 0);
}

async function benchNeighbours(healthy: EventSource, receivers: Receiver[], failing: EventSource[]): Promise<void> {
  printTitle("Commit → first byte, five events a second to each of four receivers");
  await emitAtRate(healthy, 10, 200);
  await collectLatencies(receivers, 40);
  await emitAtRate(healthy, 100, 200);
  const alone = await collectLatencies(receivers, 400);
  printLine(`  alone                            p50 ${quantile(alone, 0.5)} ms   p99 ${quantile(alone, 0.99)} ms`);
  // They start one after another, because a burst is not what this measures.
  const spread = failing.map(async (source, index) => {
    await new Promise((resolve) => setTimeout(resolve, (index * 2_000) / failing.length));
    await emitAtRate(source, 10, 2_000);
  });
  await Promise.all([emitAtRate(healthy, 100, 200), ...spread]);
  const beside = await collectLatencies(receivers, 400);
  printLine(
    `  beside ${failing.length} failing receivers   p50 ${quantile(beside, 0.5)} ms   p99 ${quantile(beside, 0.99)} ms`,
  );
  checkBound("p99, beside failing receivers / alone", quantile(beside, 0.99) / quantile(alone, 0.99), "at most", 1.2);
}

const createFailingSources = (hub: Hub, matrix: { url: string }[]): Promise<EventSource[]> =>
  Promise.all(matrix.map(({ url }, index) => createEventSource(hub, `failing-${index}`, [url])));

async function emitAtRate(source: EventSource, count: number, intervalMs: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const pause = new Promise((resolve) => setTimeout(resolve, intervalMs));
    await Promise.all([pause, source.emitEvents()]);
  }
}

async function collectLatencies(receivers: Receiver[], count: number): Promise<number[]> {
  const all: number[] = [];
  while (all.length < count) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    all.push(...(await Promise.all(receivers.map((receiver) => receiver.takeLatencies()))).flat());
  }
  return all;
}

async function openReceiver(): Promise<Receiver> {
  const child = forkChild("webhook-receiver.ts");
  const { url, host } = await nextMessage<{ url: string; host: string }>(child);
  return {
    ...{ url, host },
    takeLatencies() {
      const latencies = nextMessage<number[]>(child);
      child.send("take");
      return latencies;
    },
    stop: () => child.disconnect(),
  };
}

const forkChild = (file: string) => fork(path.join(import.meta.dirname, file), { execArgv: ["--import", "tsx"] });
const nextMessage = <T>(child: ChildProcess) => new Promise<T>((resolve) => child.once("message", resolve));

const agent = new Agent({ keepAlive: false, maxCachedSessions: 0, ca: authority });
const body = JSON.stringify({ created_at: new Date(0).toISOString(), data: { prompt: "x".repeat(600) } });
const sendPost = (url: string) =>
  new Promise<void>((resolve, reject) => {
    request(url, { method: "POST", agent }, (response) => response.resume().on("end", resolve))
      .on("error", reject)
      .end(body);
  });
