import { fork } from "node:child_process";
import { readFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import path from "node:path";
import { startHub } from "../e2e/server";
import { ensureBuilt } from "../scripts/build/ensure-built.mjs";
import { newBrowser } from "../test/auth-browser";
import { hostileBodies } from "../test/hostile/bodies";
import { type Door, listDoors } from "../test/hostile/doors";
import { quantile } from "./load";
import { checkBound, printLine, title } from "./report";

const QUIET_MS = 5_000;
const UNLIMITED = "1000000000";

/** Measures a healthy client's latency while others send slow and oversized bodies to every route that reads one. */
export async function benchLatency(): Promise<void> {
  title("GET /me a hundred times a second, alone and beside hostile bodies at every door");
  await ensureBuilt(["client", "server", "pages"]);
  const hub = await startHub({
    env: {
      RATE_LIMIT_WRITES_PER_MINUTE: UNLIMITED,
      RATE_LIMIT_READS_PER_MINUTE: UNLIMITED,
      RATE_LIMIT_KEYS_PER_MINUTE: UNLIMITED,
      RATE_LIMIT_FAILED_AUTH_PER_MINUTE: UNLIMITED,
    },
  });
  try {
    const browser = newBrowser(hub.url);
    await browser.post("/api/auth/callback/credentials", hub.demo);
    const made = await hub.cli("worker-token", "create", "--name", "bench", "--json");
    const { token } = JSON.parse(made.stdout) as { token: string };
    await hub.cli("credit", "grant", "--email", hub.demo.email, "--amount", "100000");
    const doors = listDoors({ key: hub.key, workerToken: token, cookie: browser.cookie() });
    await attackAll(hub.url, doors, 0.01);
    const quiet = await measure(hub, () => new Promise((resolve) => setTimeout(resolve, QUIET_MS)));
    const before = await peakMemory(hub.child.pid!);
    const attacked = await measure(hub, () => attackAll(hub.url, doors, 1));
    printLine(
      `  ${doors.length} doors × ${hostileBodies.length} bodies; memory ${before} → ${await peakMemory(hub.child.pid!)} MB at its peak`,
    );
    for (const [name, { times }] of [
      ["alone", quiet],
      ["beside them", attacked],
    ] as const) {
      const [p50, p99, max] = [0.5, 0.99, 1].map((q) => quantile(times, q).toFixed(1));
      printLine(`  ${name.padEnd(14)} ${times.length} answers, p50 ${p50} ms, p99 ${p99} ms, at most ${max} ms`);
    }
    checkBound("p99 of GET /me beside hostile bodies", quantile(attacked.times, 0.99), "at most", 100, " ms");
    checkBound("failures of GET /me", attacked.failures.length, "at most", 0);
  } finally {
    await hub.stop();
  }
}

interface Measured {
  times: number[];
  failures: string[];
}

/** The healthy client is a process of its own: the attack must not slow down its clock. */
async function measure(hub: { url: string; key: string }, work: () => Promise<unknown>): Promise<Measured> {
  const child = fork(path.join(import.meta.dirname, "healthy-client.ts"), {
    execArgv: ["--import", "tsx"],
    env: { ...process.env, URL: `${hub.url}/api/v1/me`, KEY: hub.key },
  });
  await new Promise((resolve) => child.once("message", resolve));
  await work();
  const measured = new Promise<Measured>((resolve) => child.once("message", (value) => resolve(value as Measured)));
  child.send("stop");
  return measured;
}

/** Sends every body to every door, one after another. `share` of the size that each door takes. */
async function attackAll(url: string, doors: Door[], share: number): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  for (const body of hostileBodies) {
    for (const door of doors) {
      const [before, after] = door.wrap;
      const document = body.make(Math.floor((door.maxBytes - before.length - after.length) * share));
      await send(url, agent, door, Buffer.concat([Buffer.from(before), document, Buffer.from(after)]));
    }
  }
  agent.destroy();
}

function send(url: string, agent: Agent, { method, path, headers }: Door, body: Buffer): Promise<number> {
  return new Promise((resolve) => {
    const sending = request(url + path, { method, agent, headers: { ...headers, "content-length": body.length } });
    sending.once("response", (response) => {
      response.resume().once("close", () => resolve(response.statusCode!));
      if (response.statusCode! >= 500 && response.statusCode !== 503)
        printLine(`  ! ${method} ${path}: ${response.statusCode}`);
    });
    sending.once("error", () => resolve(0)).end(body);
  });
}

/** In MB, of a process. */
async function peakMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}
