import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
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
const SETTLE_MS = 12_000;
const MEASURED_S = 30;
const MAX_PERCENT = 3;

const STREAM = "/api/v1/hub/events/stream?webhooks=false";

/** What a page of the console requests while nothing happens: procedures, by the seconds between their calls. */
const pages: Record<string, [seconds: number, calls: Record<string, unknown>][]> = {
  overview: [
    [5, { "generations.recent": undefined, "account.get": undefined }],
    [15, { "overview.summary": undefined }],
    [30, { "overview.spend": { days: 30 } }],
    [60, { "balance.daysLeft": undefined }],
  ],
  generations: [[5, { "generations.list": {} }]],
};

/** Measures what idle pages of the console cost the built hub, each with a stream, of accounts of their own. */
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
    for (const [page, polls] of Object.entries(pages)) {
      const consoles = headers.map((each) => openConsole(running.url, each, polls));
      const used = await measure();
      for (const close of consoles) close();
      report(page, used);
      printLine(`${failures.length} failures: ${failures.slice(0, 5).join("; ")}; ${running.output().slice(-1500)} ${running.child.exitCode}`);
      failures.length = 0;
      checkBound(`processor time of the hub, ${CONSOLES} × ${page}`, used[0]!, "at most", MAX_PERCENT, " %");
    }
  } finally {
    await running.stop();
  }
}

const failures: string[] = [];

/** Opens a page as a browser does, on connections of its own. Returns how to close it. */
function openConsole(url: string, headers: Record<string, string>, polls: [number, Record<string, unknown>][]) {
  // The hub closes connections that wait for as long as a page does between two calls.
  const agent = new Agent({ keepAlive: false });
  const get = (path: string) =>
    request(url + path, { agent, headers })
      .on("response", (response) => {
        if (response.statusCode !== 200) throw new Error(`${path}: status ${response.statusCode}`);
        response.on("error", () => undefined).resume();
      })
      .on("error", (error) => {
        if (!isClosed) failures.push(`${path.slice(0, 40)} ${error.message} ${Date.now()}`);
      })
      .end();
  let isClosed = false;
  const timers = polls.map(([seconds, calls]) => {
    const inputs = Object.values(calls).map((json, n) => [n, { json }]);
    const query = `batch=1&input=${encodeURIComponent(JSON.stringify(Object.fromEntries(inputs)))}`;
    const path = `/api/trpc/${Object.keys(calls).join(",")}?${query}`;
    return setTimeout(() => {
      get(path);
      timers.push(setInterval(() => get(path), seconds * 1_000));
    }, Math.random() * seconds * 1_000);
  });
  get(STREAM);
  return () => {
    isClosed = true;
    for (const timer of timers) clearTimeout(timer);
    agent.destroy();
  };
}
