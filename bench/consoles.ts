import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { MAX_QUIET_POLL_MS } from "../app/trpc/quiet-page";
import { startHub } from "../e2e/server";
import { ensureBuilt } from "../scripts/build/ensure-built.mjs";
import { sessionHeaders } from "../test/session";
import { createCustomers, insertHistory } from "./accounts";
import type { Bench } from "./bench";
import { findPostgres, readProcessorSeconds } from "./processor-time";
import { checkBound, printLine, printTitle } from "./report";

const CONSOLES = 500;
const GENERATIONS = 20;
/** By then, work of the start such as the first sweep is done. */
const SETTLE_MS = 30_000;
const MEASURED_S = 80;
const MAX_PERCENT = 3;
/** The pause between opening two pages, so that the hub is not busy with all of them at the same moment. */
const OPENING_MS = 20;

const STREAM = "/api/v1/hub/events/stream?webhooks=false";

/** What pages of the console read while nobody touches them. */
const pages: Record<string, Record<string, unknown>> = {
  overview: {
    "generations.recent": undefined,
    "account.get": undefined,
    "overview.summary": undefined,
    "overview.spend": { days: 30 },
    "balance.daysLeft": undefined,
  },
  generations: { "generations.list": {} },
};

/** Measures what idle pages of the console cost the built hub. Each page has a stream and belongs to a different account. */
export async function benchConsoles({ hub, settings }: Bench): Promise<void> {
  printTitle(`${CONSOLES} open consoles, ${MEASURED_S} s of idleness`);
  await ensureBuilt(["client", "server", "pages"]);
  const customers = await createCustomers(hub, "consoles", CONSOLES);
  for (const { id } of customers) await insertHistory(hub, id, GENERATIONS);
  const headers = await Promise.all(customers.map(({ id }) => sessionHeaders(hub, id)));
  const postgres = await findPostgres(hub);
  const running = await startHub({ env: { ...settings, PORT: "0" } });
  const measure = async () => {
    await sleep(SETTLE_MS);
    const read = () => [running.child.pid!, postgres].map(readProcessorSeconds);
    const before = read();
    await sleep(MEASURED_S * 1_000);
    return read().map((seconds, n) => (100 * (seconds - before[n]!)) / MEASURED_S);
  };
  try {
    const report = (name: string, [own, ofPostgres]: number[]) =>
      printLine(`  ${name.padEnd(24)} hub ${own!.toFixed(2)} % of a core, Postgres ${ofPostgres!.toFixed(2)} %`);
    report("no console", await measure());
    for (const [page, calls] of Object.entries(pages)) {
      const consoles: (() => void)[] = [];
      for (const each of headers) {
        consoles.push(openConsole(running.url, each, calls));
        await sleep(OPENING_MS);
      }
      const used = await measure();
      for (const close of consoles) close();
      report(page, used);
      checkBound(`processor time of the hub, ${CONSOLES} × ${page}`, used[0]!, "at most", MAX_PERCENT, " %");
    }
  } finally {
    await running.stop();
  }
}

/** Opens a page as a browser does, on its own connections. Returns a function that closes it. */
function openConsole(url: string, headers: Record<string, string>, calls: Record<string, unknown>): () => void {
  const agent = new Agent({ keepAlive: true });
  let isClosed = false;
  const get = (path: string) =>
    request(url + path, { agent, headers })
      .on("response", (response) => {
        if (response.statusCode !== 200) throw new Error(`${path}: status ${response.statusCode}`);
        response.on("error", () => undefined).resume();
      })
      .on("error", (error) => {
        if (!isClosed) throw error;
      })
      .end();
  const inputs = Object.values(calls).map((json, n) => [n, { json }]);
  const query = `batch=1&input=${encodeURIComponent(JSON.stringify(Object.fromEntries(inputs)))}`;
  const read = () => get(`/api/trpc/${Object.keys(calls).join(",")}?${query}`);
  get(STREAM);
  let timer = setTimeout(() => {
    read();
    timer = setInterval(read, MAX_QUIET_POLL_MS);
  }, Math.random() * MAX_QUIET_POLL_MS);
  return () => {
    isClosed = true;
    clearTimeout(timer);
    agent.destroy();
  };
}
