import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import os from "node:os";
import { observeRequest } from "../server/api/request-context";
import type { Hub } from "../server/domain/hub";
import { createAccount } from "../server/domain/people/create-account";
import { recordAttemptEnd, recordGenerationEnd, recordUnits } from "../server/domain/metrics/record-work";
import { renderMetrics } from "../server/domain/operations/render-metrics";
import { readGauges } from "../server/domain/operations/read-gauges";
import { runInSpan } from "../server/lib/tracing/tracing";
import { insertHistory } from "./accounts";
import type { Bench } from "./bench";
import { median, quantile, timeRepeatedly } from "./load";
import { checkBound, printLine, printTitle } from "./report";

const ROUNDS = 21;
const REQUESTS = 20_000;
const SCRAPES = 30;
const HISTORY = 500_000;

/** Measures what counting adds to a request and to the end of a chat, and what a scrape takes with and without a history. */
export async function benchMetrics({ hub }: Bench): Promise<void> {
  printTitle(`/metrics; load of the machine ${os.loadavg()[0]!.toFixed(1)} on ${os.cpus().length} cores`);
  const request = new IncomingMessage(new Socket());
  const bare = () => {
    new ServerResponse(request).emit("close");
  };
  const observed = () => {
    const response = new ServerResponse(request);
    observeRequest(hub, response, "getAccount");
    response.emit("close");
  };
  const chat = () => {
    recordGenerationEnd(hub, {
      model: "sandbox-text",
      status: "succeeded",
      run_seconds: 0.4,
      billed_cost: 1_000n,
      excess_cost: 0n,
    });
    recordAttemptEnd(hub, { model: "sandbox-text", route: "sandbox", outcome: "succeeded", seconds: 0.4, cost: 900n });
    recordUnits(hub, "sandbox-text", { tokens: { input: 7, output: 9 } });
  };
  const work = () => Promise.resolve();
  const seams = () => {
    for (let n = 0; n < 6; n += 1) void runInSpan(hub.tracing, () => ({ name: "never" }), work);
  };
  const plain = () => {
    for (let n = 0; n < 6; n += 1) void work();
  };
  compareTimes("a request, counted", observed, bare, 5);
  compareTimes("the end of a chat, counted", chat, () => undefined, 5);
  compareTimes("six seams of traces that are off", seams, plain, 1);
  await measureScrapes(hub);
}

/** Prints the median of what `work` takes beyond `baseline`, in microseconds; the two alternate. */
function compareTimes(name: string, work: () => void, baseline: () => void, limit: number): void {
  const time = (call: () => void) => {
    const startedAt = performance.now();
    for (let n = 0; n < REQUESTS; n += 1) call();
    return ((performance.now() - startedAt) * 1_000) / REQUESTS;
  };
  const added = Array.from({ length: ROUNDS }, () => time(work) - time(baseline));
  const [p50, p95] = [0.5, 0.95].map((q) => quantile(added, q));
  printLine(`  ${name.padEnd(40)} ${p50!.toFixed(2)} µs (p95 of ${ROUNDS} rounds ${p95!.toFixed(2)} µs)`);
  checkBound(`µs added by ${name}`, p50!, "at most", limit);
}

async function measureScrapes(hub: Hub): Promise<void> {
  const account = await createAccount(hub, { email: "scraped@example.net" });
  const measure = async (read: () => Promise<unknown>) => {
    await read();
    return median(await timeRepeatedly(SCRAPES, read));
  };
  const few = await measure(() => readGauges(hub));
  await insertHistory(hub, account, HISTORY);
  await hub.db.query("VACUUM ANALYZE generation");
  const many = await measure(() => readGauges(hub));
  const text = await measure(() => renderMetrics(hub));
  printLine(
    `  the statement of a scrape ${few.toFixed(1)} ms, with ${HISTORY} finished generations ${many.toFixed(1)} ms`,
  );
  printLine(`  the text of a scrape, with the statement's result at hand ${text.toFixed(1)} ms`);
  checkBound("times the statement takes with a history", many / few, "at most", 1.5);
}
