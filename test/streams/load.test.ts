import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { callApi } from "../api/call";
import { newCustomer } from "../api/customer";
import { bundleProgram } from "../bundle-program";
import { testHub } from "../hub";
import { isSoak, soakCount } from "../soak";
import { type ChildHub, forkHub } from "./fork-hub";
import type { Opening } from "./load-client";

const STREAMS = soakCount(60, 5_000);
const WAITERS = soakCount(20, 2_000);
const ACCOUNTS = 20;
const ROUNDS = soakCount(2, 25);
const READS = soakCount(10, 100);
const MAX_MEMORY = 300;
const MAX_RATIO = 1.3;

const hub = await testHub();
const settings = { STREAMS_PER_ACCOUNT: "1000" };
const loaded = await forkHub(hub, settings);
const client: ChildProcess = fork(await bundleProgram("test/streams/load-client.ts"), {
  execArgv: [],
  env: { PATH: process.env.PATH, NODE_ENV: "test", HUB_URL: loaded.url },
});
await once(client, "message");
afterAll(async () => {
  client.kill("SIGKILL");
  await loaded.kill9();
});

const PATH = "/api/v1/hub/generations";
const body = { model: "sandbox-image", input: { prompt: "a pier" } };

test("thousands of streams and waiting requests cost little memory, and delay others little", async () => {
  const { key } = await newCustomer(hub);
  await warmUp(loaded, key);
  const idleMemory = await measureMemory();
  await openAll();
  const { memory: peak } = await loaded.measure();
  const added = (await measureMemory()) - idleMemory;
  process.stdout.write(
    `${STREAMS} streams, ${WAITERS} waiting: ${added.toFixed(0)} MB (${(peak - idleMemory).toFixed(0)} MB with garbage)\n`,
  );
  await measureReads(loaded, key);
  expect(await countWaiting()).toBe(WAITERS + ACCOUNTS);
  expect(added).toBeLessThan(MAX_MEMORY);
  if (isSoak) await compareReads(key);
}, 300_000);

async function warmUp(served: ChildHub, key: string): Promise<void> {
  for (let n = 0; n < ROUNDS; n += 1) await measureReads(served, key);
}

/** Compares reads with those of another process on the same database, without streams: what slows the machine slows both. */
async function compareReads(key: string): Promise<void> {
  const idle = await forkHub(hub, settings);
  onTestFinished(() => idle.kill9());
  await warmUp(idle, key);
  const rounds: { processor: number; time: number }[] = [];
  for (let n = 0; n < ROUNDS; n += 1) {
    const first = n % 2 === 0 ? idle : loaded;
    const measured = new Map<ChildHub, Measured>();
    for (const each of [first, first === idle ? loaded : idle]) measured.set(each, await measureReads(each, key));
    const [without, beside] = [measured.get(idle)!, measured.get(loaded)!];
    rounds.push({ processor: beside.processorMs / without.processorMs, time: beside.ms / without.ms });
  }
  const processor = describeMedian(rounds.map((round) => round.processor));
  const time = describeMedian(rounds.map((round) => round.time));
  process.stdout.write(`processor time × ${processor.text}; time × ${time.text}\n`);
  expect(processor.median).toBeLessThan(MAX_RATIO);
  expect(time.median).toBeLessThan(MAX_RATIO);
}

/** Opens the streams, one half of them of a generation, and then the requests that wait. */
async function openAll(): Promise<void> {
  const customers = await Promise.all(Array.from({ length: ACCOUNTS }, () => newCustomer(hub, { credit: 10_000 })));
  const ids = await Promise.all(
    customers.map(async ({ key }) => (await callApi(loaded, "POST", PATH, { key, body })).body.id as string),
  );
  const authorizationOf = (n: number) => ({ authorization: `Bearer ${customers[n % ACCOUNTS]!.key}` });
  const streams = Array.from({ length: STREAMS }, (_, n): Opening => {
    const path = n % 2 === 0 ? `${PATH}/${ids[n % ACCOUNTS]}/events` : "/api/v1/hub/events/stream";
    return { path, headers: authorizationOf(n) };
  });
  const waiters = Array.from({ length: WAITERS }, (_, n): Opening => {
    const headers = { ...authorizationOf(n), "content-type": "application/json", prefer: "wait=60" };
    return { path: PATH, headers, body: JSON.stringify(body) };
  });
  for (const openings of [streams, waiters]) {
    client.send(openings);
    await once(client, "message");
  }
  // The requests have been sent, but one waits only once its generation is stored.
  await expect.poll(countWaiting, { timeout: 60_000 }).toBe(WAITERS + ACCOUNTS);
}

const countWaiting = (): Promise<number> => hub.db.prisma.generation.count({ where: { status: "queued" } });

/**
 * Returns the megabytes that the process with the streams holds. How much garbage comes on top depends on the pace.
 * Part of what one collection finds is released only by a later one.
 */
async function measureMemory(): Promise<number> {
  for (let before = Infinity; ;) {
    const { memory } = await loaded.measure({ collectsGarbage: true });
    if (memory > before - 5) return memory;
    before = memory;
  }
}

interface Measured {
  /** Milliseconds of CPU time for each read, including everything else that the process does meanwhile. */
  processorMs: number;
  /** The median time of a read. */
  ms: number;
}

/** Reads a list as others do, again and again. */
async function measureReads(served: ChildHub, key: string): Promise<Measured> {
  const before = await served.measure();
  const times: number[] = [];
  for (let n = 0; n < READS; n += 1) {
    const began = performance.now();
    expect((await callApi(served, "GET", PATH, { key })).status).toBe(200);
    times.push(performance.now() - began);
  }
  const after = await served.measure();
  return { processorMs: (after.processorMs - before.processorMs) / READS, ms: medianOf(times) };
}

const medianOf = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Returns a median with its confidence interval of 95 %, by the ranks between which the true one lies. */
function describeMedian(values: number[]): { median: number; text: string } {
  const sorted = values.toSorted((a, b) => a - b);
  const spread = 0.98 * Math.sqrt(sorted.length);
  const at = (rank: number) => sorted[Math.min(sorted.length - 1, Math.max(0, Math.round(rank)))]!;
  const [low, high] = [at(sorted.length / 2 - spread - 0.5), at(sorted.length / 2 + spread - 0.5)];
  const median = medianOf(values);
  return { median, text: `${median.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})` };
}
