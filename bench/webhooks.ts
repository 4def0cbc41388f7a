import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { HubEvent } from "../inngest/events";
import { finishGeneration } from "../server/domain/generations/end/finish";
import { insertWithHold } from "../server/domain/generations/intake/insert-with-hold";
import { createEndpoint } from "../server/domain/endpoints/create";
import type { Hub } from "../server/domain/hub";
import { createSafeFetch } from "../server/lib/safe-fetch";
import { deriveHub } from "../test/derive-hub";
import { queuedGeneration } from "../test/generation-fixture";
import { forkHub } from "../test/webhooks/fork-hub";
import { contextOf, createCustomers } from "./accounts";
import type { Bench } from "./bench";
import { forkSource, nextMessage } from "./child";
import { publishToEngine } from "./engine";
import { measureLoad, median, quantile } from "./load";
import { checkBound, printLine, printTimes, printTitle } from "./report";

const BURST = 2_000;
const ROUNDS = 5;

/** Measures the latency and rate of deliveries, beside a bare client, and what dead receivers cost the others. */
export async function benchWebhooks({ hub, settings }: Bench): Promise<void> {
  const receivers = await Promise.all(Array.from({ length: 4 }, openReceiver));
  const misbehaving = forkSource("webhook-receivers.ts", { RECEIVERS: "misbehaving" });
  const matrix = await nextMessage<Place[]>(misbehaving);
  const allowHosts = [...receivers, ...matrix].map(({ host }) => host);
  const env = { ...hub.env, OUTBOUND_ALLOW_HOSTS: allowHosts };
  const source = publishToEngine(deriveHub(hub, { env, fetch: createSafeFetch({ allowHosts }) }));
  const location = { databaseUrl: settings.DATABASE_URL, folder: settings.HUB_DATA_DIR, secret: hub.secret };
  const child = await forkHub(location, { OUTBOUND_ALLOW_HOSTS: allowHosts.join(",") });
  try {
    const healthy = await createEventSource(source, "healthy", receivers);
    await benchBurst(source, receivers[0]!);
    const failing = matrix.map((place, index) => createEventSource(source, `failing-${index}`, [place]));
    await benchNeighbours(healthy, receivers, await Promise.all(failing));
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
  const deferring = deriveHub(hub, { publish: (event) => void due.push(event) });
  const emitEvents = await createEventSource(deferring, "alone", [receiver]);
  const rounds: { bare: number; delivered: number }[] = [];
  let received = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const bare = await measureLoad(() => sendPost(receiver.url), { connections: 16, seconds: 2 });
    await receiver.takeLatencies();
    for (let n = 0; n < BURST; n += 50) await Promise.all(Array.from({ length: 50 }, () => emitEvents()));
    const startedAt = performance.now();
    due.splice(0).forEach((event) => hub.publish(event));
    received += (await collectLatencies([receiver], BURST)).length;
    rounds.push({ bare: bare.perSecond, delivered: BURST / ((performance.now() - startedAt) / 1000) });
  }
  const list = (figure: keyof (typeof rounds)[number]) => rounds.map((round) => round[figure].toFixed(0)).join(", ");
  printLine(`  bare client, 16 kept connections: ${list("bare")} a second`);
  printLine(`  deliveries: ${list("delivered")} a second`);
  const ratio = median(rounds.map(({ bare, delivered }) => delivered / bare));
  // The bare client writes nothing; a delivery is claimed, rendered and recorded, two of the three on the disk.
  checkBound("deliveries / bare client", ratio, "at least", 0.06);
  checkBound("missing or duplicate deliveries", Math.abs(received - ROUNDS * BURST), "at most", 0);
}

/** Measures deliveries at a steady rate, in rounds with and without events for receivers that fail. */
async function benchNeighbours(healthy: EmitEvents, receivers: Receiver[], failing: EmitEvents[]): Promise<void> {
  printTitle(`Commit → first byte, five events a second to each of four receivers, ${ROUNDS} rounds`);
  const measure = async (count = 40) => {
    await emitAtRate(healthy, count, 200);
    return collectLatencies(receivers, count * receivers.length);
  };
  await measure(10);
  const rounds: { alone: number[]; beside: number[] }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const alone = await measure();
    // They start one after another, because a burst is not what this measures.
    const spread = failing.map(async (emitEvents, index) => {
      await sleep((index * 2_000) / failing.length);
      await emitAtRate(emitEvents, 3, 2_000);
    });
    const [beside] = await Promise.all([measure(), ...spread]);
    rounds.push({ alone, beside });
    printTimes("alone", alone);
    printTimes(`beside ${failing.length} failing`, beside);
  }
  const p50 = median(rounds.map(({ alone }) => median(alone)));
  const p99 = (latencies: number[]) => quantile(latencies, 0.99);
  const ratio = median(rounds.map(({ alone, beside }) => p99(beside) / p99(alone)));
  const addedMs = median(rounds.map(({ alone, beside }) => p99(beside) - p99(alone)));
  checkBound("commit → first byte, p50", p50, "at most", 20, " ms");
  printLine(`  p99 beside failing receivers / alone: ${ratio.toFixed(2)}`);
  // A high ratio of two short latencies is harmless, so the added milliseconds decide.
  if (ratio > 1.5) checkBound("p99 beside failing receivers, more than alone", addedMs, "at most", 50, " ms");
}

/** Creates one event for each of an account's webhooks. */
type EmitEvents = () => Promise<void>;

/** Creates an account with webhooks at these places. */
async function createEventSource(hub: Hub, name: string, places: Place[]): Promise<EmitEvents> {
  const [customer] = await createCustomers(hub, name, 1);
  const { id } = customer!;
  for (const { url } of places) await createEndpoint(contextOf(hub, id), { url, events: ["generation.completed"] });
  return async () => {
    const generation = { ...queuedGeneration(id, 1_000n), created_at: hub.now() };
    await insertWithHold(hub, generation);
    await finishGeneration(hub, { id: generation.id, from: ["queued"], to: "canceled" });
  };
}

async function emitAtRate(emitEvents: EmitEvents, count: number, intervalMs: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await Promise.all([sleep(intervalMs), emitEvents()]);
}

async function collectLatencies(receivers: Receiver[], count: number): Promise<number[]> {
  const all: number[] = [];
  while (all.length < count) {
    await sleep(20);
    all.push(...(await Promise.all(receivers.map((receiver) => receiver.takeLatencies()))).flat());
  }
  return all;
}

interface Place {
  url: string;
  host: string;
}

interface Receiver extends Place {
  /** Returns the milliseconds from commit to request of each delivery since the last call. */
  takeLatencies(): Promise<number[]>;
  stop(): void;
}

async function openReceiver(): Promise<Receiver> {
  const child = forkSource("webhook-receivers.ts");
  const [place] = await nextMessage<[Place]>(child);
  return {
    ...place,
    takeLatencies() {
      const latencies = nextMessage<number[]>(child);
      child.send("take");
      return latencies;
    },
    stop: () => child.disconnect(),
  };
}

const ca = readFileSync(path.resolve("test/authority/authority.cert.pem"));
const agent = new Agent({ keepAlive: true, maxSockets: 16, ca });
const body = JSON.stringify({ created_at: new Date(0).toISOString(), data: { prompt: "x".repeat(600) } });
const sendPost = (url: string) =>
  new Promise<void>((resolve, reject) => {
    request(url, { method: "POST", agent }, (response) => response.resume().on("end", resolve))
      .on("error", reject)
      .end(body);
  });
