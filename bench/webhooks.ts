import { type ChildProcess, fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";
import path from "node:path";
import type { Hub } from "../server/context";
import { createSafeFetch } from "../server/lib/safe-fetch";
import { forkHub } from "../test/webhooks/fork-hub";
import type { HubEvent } from "../inngest/events";
import { type Measured, measureLoad, quantile } from "./load";
import { checkBound, printLine, printTitle } from "./report";
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

const BURST = 2_000;
const ROUNDS = 5;
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
    await benchBurst(source, receivers[0]!);
    await benchNeighbours(healthy, receivers, await createFailingSources(source, matrix));
  } finally {
    await child.kill9();
    misbehaving.disconnect();
    for (const receiver of receivers) receiver.stop();
  }
}

/** Measures deliveries that are due at once, in rounds with a bare client that posts to the same receiver. */
async function benchBurst(hub: Hub, receiver: Receiver): Promise<void> {
  printTitle(`${BURST} events to one fast receiver, ${ROUNDS} rounds`);
  const due: HubEvent[] = [];
  const alone = await createEventSource(deriveHub(hub, { publish: (event) => void due.push(event) }), "alone", [receiver.url]); // prettier-ignore
  const rounds: { bare: Measured; perSecond: number; latencies: number[] }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const bare = await measureLoad(() => sendPost(receiver.url), { connections: 16, seconds: 2 });
    await receiver.takeLatencies();
    for (let n = 0; n < BURST; n += 50) await Promise.all(Array.from({ length: 50 }, () => alone.emitEvents()));
    const startedAt = performance.now();
    due.splice(0).forEach((event) => hub.publish(event));
    const latencies = await collectLatencies([receiver], BURST);
    rounds.push({ bare, perSecond: BURST / ((performance.now() - startedAt) / 1000), latencies });
  }
  printLine(
    `  bare client, 16 kept connections: ${rounds.map(({ bare }) => bare.perSecond.toFixed(0)).join(", ")} a second`,
  );
  printLine(`  deliveries: ${rounds.map(({ perSecond }) => perSecond.toFixed(0)).join(", ")} a second`);
  const ratio = quantile(
    rounds.map(({ bare, perSecond }) => perSecond / bare.perSecond),
    0.5,
  );
  // The bare client writes nothing; a delivery is claimed, rendered and recorded, two of the three on the disk.
  checkBound("deliveries / bare client", ratio, "at least", 0.06);
  const received = rounds.reduce((sum, { latencies }) => sum + latencies.length, 0);
  checkBound("missing or duplicate deliveries", Math.abs(received - ROUNDS * BURST), "at most", 0);
}

/** Measures deliveries at a steady rate, in rounds with and without events for receivers that fail. */
async function benchNeighbours(healthy: EventSource, receivers: Receiver[], failing: EventSource[]): Promise<void> {
  printTitle(`Commit → first byte, five events a second to each of four receivers, ${ROUNDS} rounds`);
  const measure = async () => {
    await emitAtRate(healthy, 40, 200);
    return collectLatencies(receivers, 160);
  };
  await emitAtRate(healthy, 10, 200);
  await collectLatencies(receivers, 40);
  const rounds: { alone: number[]; beside: number[] }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const alone = await measure();
    // They start one after another, because a burst is not what this measures.
    const spread = failing.map(async (source, index) => {
      await new Promise((resolve) => setTimeout(resolve, (index * 2_000) / failing.length));
      await emitAtRate(source, 3, 2_000);
    });
    const [beside] = await Promise.all([measure(), ...spread]);
    rounds.push({ alone, beside });
    printLine(`  alone p50 ${quantile(alone, 0.5)} ms, p99 ${quantile(alone, 0.99)} ms; beside ${failing.length} failing receivers p50 ${quantile(beside, 0.5)} ms, p99 ${quantile(beside, 0.99)} ms`); // prettier-ignore
  }
  const median = (figure: (round: (typeof rounds)[number]) => number) => quantile(rounds.map(figure), 0.5);
  const p99 = (latencies: number[]) => quantile(latencies, 0.99);
  const ratio = median(({ alone, beside }) => p99(beside) / p99(alone));
  const addedMs = median(({ alone, beside }) => p99(beside) - p99(alone));
  checkBound(
    "commit → first byte, p50",
    median(({ alone }) => quantile(alone, 0.5)),
    "at most",
    20,
    " ms",
  );
  printLine(`  p99 beside failing receivers / alone: ${ratio.toFixed(2)}`);
  // Milliseconds count where the ratio is one of small figures.
  if (ratio > 1.5) checkBound("p99 beside failing receivers, more than alone", addedMs, "at most", 50, " ms");
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
    url,
    host,
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

const agent = new Agent({ keepAlive: true, maxSockets: 16, ca: authority });
const body = JSON.stringify({ created_at: new Date(0).toISOString(), data: { prompt: "x".repeat(600) } });
const sendPost = (url: string) =>
  new Promise<void>((resolve, reject) => {
    request(url, { method: "POST", agent }, (response) => response.resume().on("end", resolve))
      .on("error", reject)
      .end(body);
  });
