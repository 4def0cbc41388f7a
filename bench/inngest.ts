import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { Inngest } from "inngest";
import { serve } from "inngest/node";
import { startHub } from "../e2e/server";
import { ensureBuilt } from "../scripts/build/ensure-built.mjs";
import { type InngestServer, prepareInngest } from "../test/inngest/inngest-server";
import { reservePort } from "../test/reserve-port";
import { listenOnLoopback } from "../test/loopback";
import { createCustomers } from "./accounts";
import type { Bench } from "./bench";
import { median } from "./load";
import { checkBound, printLine, printTimes, printTitle } from "./report";

const ROUNDS = 60;
const PAUSE_MS = 250;
const MAX_WAIT_MS = 60_000;

/** Measures how soon an Inngest server starts a generation, beside how soon it starts a bare function. */
export async function benchInngest(bench: Bench): Promise<void> {
  printTitle("accept → running on an Inngest server, beside event → first step of a bare function");
  const binary = process.env.INNGEST_TEST_BIN;
  if (!binary) return printLine("  skipped: INNGEST_TEST_BIN does not name an Inngest server");
  await ensureBuilt(["client", "server", "pages"]);
  const port = await reservePort();
  const url = `http://127.0.0.1:${port}`;
  const server = await prepareInngest({ binary, store: { kind: "sqlite" }, appUrl: `${url}/api/inngest` });
  try {
    await server.start();
    const env = { ...bench.settings, ...server.settings, PORT: String(port), BASE_URL: url };
    const running = await startHub({ env, dataDir: bench.settings.HUB_DATA_DIR });
    try {
      await measure(bench, url, server);
    } finally {
      await running.stop();
    }
  } finally {
    await server.stop();
  }
}

/** Alternates between the two, so that other load on the machine slows down both. */
async function measure({ hub }: Bench, url: string, server: InngestServer): Promise<void> {
  const [customer] = await createCustomers(hub, "inngest", 1);
  const bare = await serveBareFunction(server);
  const ids: string[] = [];
  for (let n = 0; n < ROUNDS; n += 1) {
    ids.push(await createGeneration(url, customer!.key, n));
    await sleep(PAUSE_MS);
    await bare.send();
    await sleep(PAUSE_MS);
  }
  await bare.stop();
  const rows = await hub.db.query<{ ms: number | null }>(
    "SELECT extract(epoch FROM started_at - created_at)::float8 * 1000 AS ms FROM generation WHERE id = ANY ($1::uuid[])",
    [ids],
  );
  const running = rows.map(({ ms }) => ms ?? Infinity);
  printTimes("accept → running", running);
  printTimes("event → first step", bare.times);
  if (bare.times.length < ROUNDS) throw new Error(`Only ${bare.times.length} of ${ROUNDS} bare functions started`);
  const ratio = median(running) / median(bare.times);
  checkBound("accept → running / event → first step, p50", ratio, "at most", 1.3);
}

async function createGeneration(url: string, key: string, n: number): Promise<string> {
  const response = await fetch(`${url}/api/v1/hub/generations`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "sandbox-image", input: { prompt: `a hill, ${n}` } }),
  });
  if (response.status !== 202) throw new Error(`Creating a generation was answered with ${response.status}`);
  return ((await response.json()) as { id: string }).id;
}

/** Registers a function of one step at an Inngest server; `times` holds the milliseconds from each event to that step. */
async function serveBareFunction({ settings }: InngestServer) {
  const client = new Inngest({
    id: "bare",
    baseUrl: settings.INNGEST_BASE_URL,
    eventKey: settings.INNGEST_EVENT_KEY,
    signingKey: settings.INNGEST_SIGNING_KEY,
    isDev: false,
    // The hub's client has the same setting.
    checkpointing: false,
  });
  const times: number[] = [];
  const bare = client.createFunction({ id: "bare", triggers: [{ event: "bare/sent" }] }, ({ event, step }) =>
    step.run("first", () => times.push(performance.now() - (event.data as { at: number }).at)),
  );
  const port = await reservePort();
  const origin = `http://127.0.0.1:${port}`;
  const handle = serve({ client, functions: [bare], serveOrigin: origin, servePath: "/api/inngest" });
  const server = createServer((request, response) => void handle(request, response));
  await listenOnLoopback(server, port);
  const registered = await fetch(`${origin}/api/inngest`, { method: "PUT" });
  if (!registered.ok) throw new Error(`The server did not register the bare function: ${await registered.text()}`);
  return {
    times,
    send: () => client.send({ name: "bare/sent", data: { at: performance.now() } }),
    /** Waits until the events of all rounds have been received, and closes the server. */
    async stop() {
      const deadline = Date.now() + MAX_WAIT_MS;
      while (times.length < ROUNDS && Date.now() < deadline) await sleep(50);
      server.closeAllConnections();
      server.close();
    },
  };
}
