import { setTimeout as sleep } from "node:timers/promises";
import { type InngestFunction } from "inngest";
import { createInngest } from "../inngest/client";
import { createEmbeddedEngine } from "../inngest/embedded/engine";
import { embeddedFetch } from "../inngest/embedded/fetch";
import { createFunctions } from "../inngest/functions";
import { startGeneration } from "../server/domain/generations/intake/start";
import { createPublisher } from "../inngest/publisher";
import type { Hub } from "../server/domain/hub";
import { type JobState, outputOf } from "../server/providers/job";
import { deriveHub } from "../test/derive-hub";
import { makePng } from "../test/media/png";
import { contextOf, createCustomers } from "./accounts";
import type { Bench } from "./bench";
import { median, quantile } from "./load";
import { checkBound, MAX_GROWTH, printLine, printTimes, printTitle } from "./report";

// As in the product (server/process/run-hub.ts).
const SLOTS = 256;
const ACCOUNTS = 200;
const BACKLOG = 20_000;
const SMALL_BACKLOG = 2_000;
const FINISHED_RUNS = 500_000;
const ROUNDS = 5;

/** Measures how fast the embedded engine starts and finishes jobs, and how it shares out a backlog. */
export async function benchEngine({ hub, settings }: Bench): Promise<void> {
  await benchSteps(hub, settings.DATABASE_URL);
  await benchGenerations(hub, settings.DATABASE_URL);
}

/**
 * Measures throughput, fairness between accounts and memory with runs of one step that are queued before the engine
 * starts, and throughput again beside many runs that have finished.
 */
async function benchSteps(hub: Hub, listenUrl: string): Promise<void> {
  printTitle(`${BACKLOG} one-step runs of ${ACCOUNTS} accounts on the embedded engine`);
  const inngest = createClient(hub);
  const served: number[] = [];
  const step = inngest.createFunction(
    { id: "bench-step", triggers: [{ event: "bench/step" }], concurrency: [{ key: "event.data.account", limit: 20 }] },
    async ({ event, step: { run } }) =>
      run("once", () => served.push(Number((event.data as { account: number }).account))),
  );
  const open = () => createEngine(hub, listenUrl, inngest, [step]);
  const engine = open();
  await engine.start();
  await engine.stop(1_000);
  /** Returns runs a second. One account queues nine tenths of the runs first; the others share the last tenth. */
  const runBacklog = async (count: number, onPoll = () => {}): Promise<number> => {
    served.length = 0;
    const accounts = Array.from({ length: count }, (_, n) => (n < count * 0.9 ? 0 : 1 + (n % (ACCOUNTS - 1))));
    for (let n = 0; n < count; n += 1_000) {
      await inngest.send(accounts.slice(n, n + 1_000).map((account) => ({ name: "bench/step", data: { account } })));
    }
    const startedAt = performance.now();
    const runner = open();
    await runner.start();
    await until(() => {
      onPoll();
      return served.length >= count;
    });
    const seconds = (performance.now() - startedAt) / 1000;
    await runner.stop(5_000);
    return count / seconds;
  };
  // Memory of the first quarter is warm-up and does not count as growth.
  let warmBytes = 0;
  let maxBytes = 0;
  const perSecond = await runBacklog(BACKLOG, () => {
    maxBytes = Math.max(maxBytes, process.memoryUsage().rss);
    if (served.length <= BACKLOG / 4) warmBytes = maxBytes;
  });
  const lastOfOthers = served.findLastIndex((account) => account !== 0);
  checkBound("one-step runs a second", perSecond, "at least", 500);
  checkBound("share of the queue served when the small accounts are done", lastOfOthers / BACKLOG, "at most", 0.5);
  checkBound("memory growth over the last three quarters", (maxBytes - warmBytes) / 2 ** 20, "at most", 50, " MB");
  const runSmall = async () => {
    const rates: number[] = [];
    while (rates.length < ROUNDS) rates.push(await runBacklog(SMALL_BACKLOG));
    return median(rates);
  };
  const before = await runSmall();
  await insertFinishedRuns(hub);
  const after = await runSmall();
  printLine(
    `  ${SMALL_BACKLOG} runs: ${before.toFixed(0)} a second, beside ${FINISHED_RUNS} finished ones ${after.toFixed(0)}`,
  );
  checkBound("time of a run beside finished ones", before / after, "at most", MAX_GROWTH);
}

async function insertFinishedRuns(hub: Hub): Promise<void> {
  await hub.db.query(
    `INSERT INTO engine.run (id, function_id, concurrency_group_id, event, status, result, started_at, ended_at)
     SELECT gen_random_uuid(), 'bench', 1, '{}', 'completed', 'null', now(), now() FROM generate_series(1, $1::int)`,
    [FINISHED_RUNS],
    { isLong: true },
  );
  // Otherwise autovacuum would run during the next rounds.
  await hub.db.query("VACUUM ANALYZE engine.run", [], { isLong: true });
}

/** Measures the time from a generation's creation to its start and to its end, with four generations a second. */
async function benchGenerations(hub: Hub, listenUrl: string): Promise<void> {
  printTitle("accept → running → succeeded, four generations a second");
  const live = publishToEngine(
    deriveHub(hub, {
      providers: { ...hub.providers, sandbox: { ...hub.providers.sandbox, submit: answerAtOnce } },
    }),
  );
  const inngest = createClient(hub);
  const engine = createEngine(live, listenUrl, inngest, createFunctions(inngest, live));
  await engine.start();
  const [customer] = await createCustomers(live, "light", 1);
  const ctx = contextOf(live, customer!.id);
  const ids: string[] = [];
  for (let n = 0; n < 40; n += 1) {
    const request = { model: "sandbox-image", input: { prompt: `a hill, ${n}` } };
    ids.push((await startGeneration(ctx, request, null)).generation.id);
    await sleep(250);
  }
  const readRows = () =>
    live.db.query<{ status: string; running: number; done: number }>(
      `SELECT status, extract(epoch FROM started_at - created_at)::float8 * 1000 AS running,
              extract(epoch FROM completed_at - created_at)::float8 * 1000 AS done
       FROM generation WHERE id = ANY ($1::uuid[])`,
      [ids],
    );
  await until(async () => (await readRows()).every(({ status }) => status === "succeeded"));
  await engine.stop(5_000);
  const rows = await readRows();
  const running = rows.map((row) => row.running);
  const done = rows.map((row) => row.done);
  printTimes("accept → running", running);
  printTimes("accept → succeeded", done);
  checkBound("accept → running, p50", median(running), "at most", 20, " ms");
  checkBound("accept → succeeded, p50", median(done), "at most", 40, " ms");
  checkBound("accept → succeeded, p99", quantile(done, 0.99), "at most", 1_000, " ms");
}

const picture = await makePng("teal", { width: 64, height: 64 });
/** A provider's answer without the time that a provider takes. */
const answerAtOnce = (): Promise<JobState> =>
  Promise.resolve({ state: "succeeded", outputs: [outputOf(picture, "image/png")] });

/** Returns a hub that sends its events to the embedded engine, which another process may run. */
export function publishToEngine(hub: Hub): Hub {
  const publisher = createPublisher(createClient(hub), hub.log);
  return deriveHub(hub, { publish: (event) => publisher.publish(event) });
}

type Client = ReturnType<typeof createInngest>;
const createClient = (hub: Hub): Client => createInngest({ env: hub.env, fetch: embeddedFetch(hub.db, hub.now) });
const createEngine = (hub: Hub, listenUrl: string, inngest: Client, functions: InngestFunction.Any[]) =>
  createEmbeddedEngine({ listenUrl, inngest, functions, log: hub.log, now: hub.now, slots: SLOTS });

async function until(isDone: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isDone())) await sleep(20);
}
