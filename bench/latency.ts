import { readFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { startHub } from "../e2e/server";
import { ensureBuilt } from "../scripts/build/ensure-built.mjs";
import { newBrowser } from "../test/auth-browser";
import { hostileBodies } from "../test/hostile/bodies";
import { type BodyRoute, listBodyRoutes } from "../test/hostile/body-routes";
import { forkSource, nextMessage } from "./child";
import { quantile } from "./load";
import { checkBound, printLine, printTimes, printTitle } from "./report";

const QUIET_MS = 5_000;
const UNLIMITED = "1000000000";

/** Measures a healthy client's latency while others send slow and oversized bodies to every route that reads one. */
export async function benchLatency(): Promise<void> {
  printTitle("GET /me a hundred times a second, alone and beside hostile bodies to every route");
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
    const created = await hub.cli("worker-token", "create", "--name", "bench", "--json");
    const { token } = JSON.parse(created.stdout) as { token: string };
    await hub.cli("credit", "grant", "--email", hub.demo.email, "--amount", "100000");
    const routes = listBodyRoutes({ key: hub.key, workerToken: token, cookie: browser.cookie() });
    await sendHostileBodies(hub.url, routes, 0.01);
    const quiet = await measure(hub, () => sleep(QUIET_MS));
    const before = await readPeakMemory(hub.child.pid!);
    const attacked = await measure(hub, () => sendHostileBodies(hub.url, routes, 1));
    printLine(
      `  ${routes.length} routes × ${hostileBodies.length} bodies; peak memory ${before} → ${await readPeakMemory(hub.child.pid!)} MB`,
    );
    printTimes("alone", quiet.times);
    printTimes("beside bodies", attacked.times);
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

/** Measures GET /me while `work` runs, from a process of its own, so that the attack does not delay its clock. */
async function measure(hub: { url: string; key: string }, work: () => Promise<unknown>): Promise<Measured> {
  const child = forkSource("healthy-client.ts", { URL: `${hub.url}/api/v1/me`, KEY: hub.key });
  await nextMessage(child);
  await work();
  const measured = nextMessage<Measured>(child);
  child.send("stop");
  return measured;
}

/** Sends every body to every route, one after another, with `share` of the size that the route accepts. */
async function sendHostileBodies(url: string, routes: BodyRoute[], share: number): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  for (const body of hostileBodies) {
    for (const route of routes) {
      const [before, after] = route.wrap;
      const document = body.make(Math.floor((route.maxBytes - before.length - after.length) * share));
      await sendBody(url, agent, route, Buffer.concat([Buffer.from(before), document, Buffer.from(after)]));
    }
  }
  agent.destroy();
}

function sendBody(url: string, agent: Agent, { method, path, headers }: BodyRoute, body: Buffer): Promise<number> {
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

/** Returns the peak resident memory of a process in MB. */
async function readPeakMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}
