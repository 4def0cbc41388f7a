import { type ChildProcess, fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";
import path from "node:path";
import type { Hub } from "../server/context";
import { createSafeFetch } from "../server/lib/safe-fetch";
import { forkHub } from "../test/webhooks/fork-hub";
import { deriveHub } from "../test/derive-hub";
import { quantile, repeat } from "./load";
import { bound, line, print, title } from "./report";
import { makeTeller, dispatching, type Teller } from "./webhook-accounts";

interface Place {
  databaseUrl: string;
  folder: string;
}

interface Receiver {
  url: string;
  host: string;
  /** Milliseconds from the commit to the request, of what came since the last call. */
  take(): Promise<number[]>;
  stop(): void;
}

const BACKLOG = 2_000;
const authority = readFileSync(path.resolve("test/authority/authority.cert.pem"));

/** How soon and how fast webhooks are delivered, beside a bare client, and what dead receivers cost the others. */
export async function benchWebhooks(hub: Hub, place: Place): Promise<void> {
  const receivers = await Promise.all(Array.from({ length: 4 }, openReceiver));
  const misbehaving = start("webhook-matrix.ts");
  const matrix = await message<{ url: string; host: string }[]>(misbehaving);
  const OUTBOUND_ALLOW_HOSTS = [...receivers, ...matrix].map(({ host }) => host).join(",");
  const env = { ...hub.env, OUTBOUND_ALLOW_HOSTS: OUTBOUND_ALLOW_HOSTS.split(",") };
  const here = dispatching(deriveHub(hub, { env, fetch: createSafeFetch({ allowHosts: env.OUTBOUND_ALLOW_HOSTS }) }));
  const child = await forkHub({ ...place, secret: hub.secret }, { OUTBOUND_ALLOW_HOSTS });
  try {
    const healthy = await makeTeller(here, "healthy", receivers.map(({ url }) => url)); // prettier-ignore
    await benchBacklog(here, receivers[0]!);
    await benchNeighbours(healthy, receivers, await makeVictims(here, matrix));
  } finally {
    await child.kill9();
    misbehaving.disconnect();
    for (const receiver of receivers) receiver.stop();
  }
}

async function benchBacklog(hub: Hub, receiver: Receiver): Promise<void> {
  title(`${BACKLOG} events to one fast receiver`);
  const bare = await repeat(() => post(receiver.url), { connections: 16, seconds: 5 });
  line("the same POST by a bare client, a connection each", bare);
  await receiver.take();
  const alone = await makeTeller(hub, "alone", [receiver.url]);
  const began = performance.now();
  for (let n = 0; n < BACKLOG; n += 50) await Promise.all(Array.from({ length: 50 }, () => alone.tell()));
  const came = await collect([receiver], BACKLOG);
  const perSecond = BACKLOG / ((performance.now() - began) / 1000);
  line("deliveries", { perSecond, p50: quantile(came, 0.5), p99: quantile(came, 0.99) });
  print(`  of the bare client's rate: ${(perSecond / bare.perSecond).toFixed(2)}`);
  bound("deliveries that are missing or twice there", Math.abs(came.length - BACKLOG), "at most", 0);
}

async function benchNeighbours(healthy: Teller, receivers: Receiver[], victims: Teller[]): Promise<void> {
  title("five events a second to each of four receivers: from the commit to the first byte");
  await pace(healthy, 10, 200);
  await collect(receivers, 40);
  await pace(healthy, 100, 200);
  const alone = await collect(receivers, 400);
  print(`  alone                            p50 ${quantile(alone, 0.5)} ms   p99 ${quantile(alone, 0.99)} ms`);
  // Not all in the same moment, which would measure a burst and not neighbours.
  const spread = victims.map(async (victim, index) => {
    await new Promise((resolve) => setTimeout(resolve, (index * 2_000) / victims.length));
    await pace(victim, 10, 2_000);
  });
  await Promise.all([pace(healthy, 100, 200), ...spread]);
  const beside = await collect(receivers, 400);
  print(
    `  beside ${victims.length} that answer in every way   p50 ${quantile(beside, 0.5)} ms   p99 ${quantile(beside, 0.99)} ms`,
  );
  bound("p99 beside them against alone", quantile(beside, 0.99) / quantile(alone, 0.99), "at most", 1.2);
}

const makeVictims = (hub: Hub, matrix: { url: string }[]): Promise<Teller[]> =>
  Promise.all(matrix.map(({ url }, index) => makeTeller(hub, `victim-${index}`, [url])));

async function pace(teller: Teller, count: number, everyMs: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const pause = new Promise((resolve) => setTimeout(resolve, everyMs));
    await Promise.all([pause, teller.tell()]);
  }
}

async function collect(receivers: Receiver[], count: number): Promise<number[]> {
  const all: number[] = [];
  while (all.length < count) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    all.push(...(await Promise.all(receivers.map((receiver) => receiver.take()))).flat());
  }
  return all;
}

async function openReceiver(): Promise<Receiver> {
  const child = start("webhook-receiver.ts");
  const { url, host } = await message<{ url: string; host: string }>(child);
  return {
    ...{ url, host },
    take() {
      const answer = message<number[]>(child);
      child.send("take");
      return answer;
    },
    stop: () => child.disconnect(),
  };
}

const start = (file: string) => fork(path.join(import.meta.dirname, file), { execArgv: ["--import", "tsx"] });
const message = <T>(child: ChildProcess) => new Promise<T>((resolve) => child.once("message", resolve));

const agent = new Agent({ keepAlive: false, maxCachedSessions: 0, ca: authority });
const body = JSON.stringify({ created_at: new Date(0).toISOString(), data: { prompt: "x".repeat(600) } });
const post = (url: string) =>
  new Promise<void>((resolve, reject) => {
    request(url, { method: "POST", agent }, (response) => response.resume().on("end", resolve))
      .on("error", reject)
      .end(body);
  });
