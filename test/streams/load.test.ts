import http from "node:http";
import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { callApi } from "../api/call";
import { newCustomer } from "../api/customer";
import { testHub } from "../hub";
import { isSoak, soakCount } from "../soak";
import { forkHub } from "./fork-hub";

const STREAMS = soakCount(60, 5_000);
const WAITERS = soakCount(20, 2_000);
const ACCOUNTS = 20;

const hub = await testHub();
const served = await forkHub(hub, { STREAMS_PER_ACCOUNT: "1000" });
afterAll(() => served.kill9());

const readMemory = () => {
  const [, kilobytes] = /VmRSS:\s*(\d+) kB/.exec(readFileSync(`/proc/${served.pid()}/status`, "utf8"))!;
  return Number(kilobytes) / 1024;
};
const agent = new http.Agent({ keepAlive: false, maxSockets: Infinity });

/** Sends a request and resolves once its response begins to arrive; for a request that waits, once it was sent. */
function send(path: string, headers: Record<string, string>, body?: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = http.request(`${served.url}${path}`, { agent, headers, method: body ? "POST" : "GET" });
    request.on("error", (error) => (request.destroyed ? undefined : reject(error)));
    request.on("response", (response) => {
      response.on("error", () => undefined);
      response.resume();
      if (response.statusCode === 200) response.once("data", () => resolve());
      else reject(new Error(`status ${response.statusCode}`));
    });
    request.end(body);
    if (body) resolve();
  });
}

/** Returns the median time of reads that others send, in ms. */
async function measureReads(key: string): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < soakCount(20, 400); n += 1) {
    const began = performance.now();
    expect((await callApi(served, "GET", "/api/v1/hub/generations", { key })).status).toBe(200);
    times.push(performance.now() - began);
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)]!;
}

test("thousands of streams and waiting requests cost little memory, and delay others little", async () => {
  const other = await newCustomer(hub);
  await measureReads(other.key);
  const idle = { memory: readMemory(), readMs: await measureReads(other.key) };
  const customers = await Promise.all(Array.from({ length: ACCOUNTS }, () => newCustomer(hub, { credit: 10_000 })));
  const body = JSON.stringify({ model: "sandbox-image", input: { prompt: "a pier" } });
  const ids = await Promise.all(
    customers.map(async ({ key }) => {
      const options = { key, body: JSON.parse(body) as unknown };
      return (await callApi(served, "POST", "/api/v1/hub/generations", options)).body.id as string;
    }),
  );
  for (let opened = 0; opened < STREAMS; opened += 200) {
    const batch = Array.from({ length: Math.min(200, STREAMS - opened) }, (_, n) => {
      const index = (opened + n) % ACCOUNTS;
      const path = n % 2 === 0 ? `generations/${ids[index]}/events` : "events/stream";
      return send(`/api/v1/hub/${path}`, { authorization: `Bearer ${customers[index]!.key}` });
    });
    await Promise.all(batch);
  }
  for (let n = 0; n < WAITERS; n += 1) {
    const authorization = `Bearer ${customers[n % ACCOUNTS]!.key}`;
    await send(
      "/api/v1/hub/generations",
      { authorization, "content-type": "application/json", prefer: "wait=60" },
      body,
    );
    if (n % 200 === 199) await callApi(served, "GET", "/api/v1/me", other);
  }
  const loaded = { memory: readMemory(), readMs: await measureReads(other.key) };
  process.stdout.write(`${STREAMS} streams, ${WAITERS} waiting: ${JSON.stringify({ idle, loaded })}\n`);
  expect(loaded.memory - idle.memory).toBeLessThan(300);
  if (isSoak) expect(loaded.readMs / idle.readMs).toBeLessThan(1.3);
  agent.destroy();
}, 300_000);
