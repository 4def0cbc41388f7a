import { startHub } from "../e2e/server";
import { ensureBuilt } from "../scripts/build/ensure-built.mjs";
import type { Hub } from "../server/context";
import { type InngestServer, prepareInngest } from "../test/inngest/inngest-server";
import { reservePort } from "../test/inngest/ports";
import { createCustomers } from "./accounts";
import { serveBareFunction } from "./bare-function";
import { quantile } from "./load";
import { checkBound, printLine, printTitle } from "./report";

const ROUNDS = 60;
const PAUSE_MS = 250;

/** Measures how soon an Inngest server starts a generation, beside how soon it starts a bare function. */
export async function benchInngest(hub: Hub, settings: Record<string, string>): Promise<void> {
  printTitle("accept → running on an Inngest server, beside event → first step of a bare function");
  const binary = process.env.INNGEST_TEST_BIN;
  if (!binary) return printLine("  skipped: INNGEST_TEST_BIN does not name an Inngest server");
  await ensureBuilt(["client", "server", "pages"]);
  const port = await reservePort();
  const url = `http://127.0.0.1:${port}`;
  const appUrl = `${url}/api/inngest`;
  const server = await prepareInngest({ binary, store: { kind: "sqlite" }, appUrl });
  try {
    await server.start();
    const env = { ...settings, ...server.settings, PORT: String(port), BASE_URL: url };
    const running = await startHub({ env, dataDir: settings.HUB_DATA_DIR });
    try {
      await measure(hub, url, server);
    } finally {
      await running.stop();
    }
  } finally {
    await server.stop();
  }
}

/** Measures both in turn, so that other load on the machine slows down both. */
async function measure(hub: Hub, url: string, server: InngestServer): Promise<void> {
  const [customer] = await createCustomers(hub, "inngest", 1);
  const bare = await serveBareFunction(server);
  const ids: string[] = [];
  for (let n = 0; n < ROUNDS; n += 1) {
    ids.push(await createGeneration(url, customer!.key, n));
    await pause();
    await bare.send();
    await pause();
  }
  await bare.stop();
  const rows = await hub.db.query<{ ms: number | null }>(
    "SELECT extract(epoch FROM started_at - created_at)::float8 * 1000 AS ms FROM generation WHERE id = ANY ($1::uuid[])",
    [ids],
  );
  const running = rows.map(({ ms }) => ms ?? Infinity);
  for (const [name, times] of Object.entries({ "accept → running": running, "event → first step": bare.times })) {
    printLine(
      `  ${name.padEnd(20)} p50 ${quantile(times, 0.5).toFixed(0)} ms   p99 ${quantile(times, 0.99).toFixed(0)} ms`,
    );
  }
  if (bare.times.length < ROUNDS) throw new Error(`Only ${bare.times.length} of ${ROUNDS} bare functions started`);
  checkBound(
    "accept → running / event → first step, p50",
    quantile(running, 0.5) / quantile(bare.times, 0.5),
    "at most",
    1.3,
  );
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

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
