import { type InngestFunction } from "inngest";
import { createInngest } from "../inngest/client";
import { createEmbeddedEngine } from "../inngest/embedded/engine";
import { embeddedFetch } from "../inngest/embedded/fetch";
import { createFunctions } from "../inngest/functions";
import type { Hub } from "../server/context";
import { startGeneration } from "../server/domain/generations/start";
import { createPublisher } from "../inngest/publisher";
import { deriveHub } from "../test/derive-hub";
import { type Customer, createCustomers } from "./accounts";
import { quantile } from "./load";
import { checkBound, printLine, printTitle } from "./report";

const SLOTS = 16;
const ACCOUNTS = 200;
const BACKLOG = 20_000;

/** Measures how fast the embedded engine starts and finishes jobs, and how it shares out a backlog. */
export async function benchEngine(hub: Hub, listenUrl: string): Promise<void> {
  await benchSteps(hub, listenUrl);
  await benchGenerations(hub, listenUrl);
}

/** Measures throughput, fairness between accounts and memory with runs of one step that are queued before the engine starts. */
async function benchSteps(hub: Hub, listenUrl: string): Promise<void> {
  printTitle(`${BACKLOG} one-step runs of ${ACCOUNTS} accounts on the embedded engine`);
  const inngest = createInngest({ env: hub.env, fetch: embeddedFetch(hub.db, hub.now) });
  const served: number[] = [];
  const step = inngest.createFunction(
    { id: "bench-step", triggers: [{ event: "bench/step" }], concurrency: [{ key: "event.data.account", limit: 20 }] },
    async ({ event, step: { run } }) =>
      run("once", () => served.push(Number((event.data as { account: number }).account))),
  );
  const engine = createEngine(hub, listenUrl, inngest, [step]);
  // One account queues nine tenths of the runs first; the other accounts share the last tenth.
  const accounts = Array.from({ length: BACKLOG }, (_, n) => (n < BACKLOG * 0.9 ? 0 : 1 + (n % (ACCOUNTS - 1))));
  await engine.start();
  await engine.stop(1_000);
  for (let n = 0; n < BACKLOG; n += 1_000) {
    await inngest.send(accounts.slice(n, n + 1_000).map((account) => ({ name: "bench/step", data: { account } })));
  }
  // Memory of the first quarter is warm-up and does not count as growth.
  let warmBytes = 0;
  let maxBytes = 0;
  const startedAt = performance.now();
  const second = createEngine(hub, listenUrl, inngest, [step]);
  await second.start();
  await until(() => {
    maxBytes = Math.max(maxBytes, process.memoryUsage().rss);
    if (served.length <= BACKLOG / 4) warmBytes = maxBytes;
    return served.length >= BACKLOG;
  });
  const seconds = (performance.now() - startedAt) / 1000;
  await second.stop(5_000);
  const others = served.flatMap((account, index) => (account === 0 ? [] : [index]));
  checkBound("one-step runs a second", BACKLOG / seconds, "at least", 150);
  checkBound("share of the queue served when the small accounts are done", others.at(-1)! / BACKLOG, "at most", 0.5);
  checkBound("memory growth over the last three quarters", (maxBytes - warmBytes) / 2 ** 20, "at most", 50, " MB");
}

/** Measures the time from a generation's creation to its start and to its end, with four generations a second. */
async function benchGenerations(hub: Hub, listenUrl: string): Promise<void> {
  printTitle("accept → running → succeeded, four generations a second");
  const inngest = createInngest({ env: hub.env, fetch: embeddedFetch(hub.db, hub.now) });
  const publisher = createPublisher(inngest, hub.log);
  const live: Hub = deriveHub(hub, { publish: (event) => publisher.publish(event) });
  const engine = createEngine(live, listenUrl, inngest, createFunctions(inngest, live));
  await engine.start();
  const [customer] = await createCustomers(live, "light", 1);
  const ids: string[] = [];
  for (let n = 0; n < 40; n += 1) {
    ids.push(await startOne(live, customer!, n));
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  const rows = async () =>
    live.db.query<{ status: string; running: number; done: number }>(
      `SELECT status, extract(epoch FROM started_at - created_at)::float8 * 1000 AS running,
              extract(epoch FROM completed_at - created_at)::float8 * 1000 AS done
       FROM generation WHERE id = ANY ($1::uuid[])`,
      [ids],
    );
  await until(async () => (await rows()).every(({ status }) => status === "succeeded"));
  await engine.stop(5_000);
  const measured = await rows();
  const running = measured.map((row) => row.running);
  const done = measured.map((row) => row.done);
  printLine(`  accept → running     p50 ${quantile(running, 0.5)} ms   p99 ${quantile(running, 0.99)} ms`);
  printLine(`  accept → succeeded   p50 ${quantile(done, 0.5)} ms   p99 ${quantile(done, 0.99)} ms`);
  checkBound("accept → running, p50", quantile(running, 0.5), "at most", 20, " ms");
  checkBound("accept → succeeded, p99", quantile(done, 0.99), "at most", 1_000, " ms");
}

async function startOne(hub: Hub, { id }: Customer, n: number): Promise<string> {
  const account = { id, email: "", member: false, balance: 0n, reserved: 0n };
  const ctx = { hub, account, actor: { kind: "user" as const }, requestId: "bench" };
  return (await startGeneration(ctx, { model: "sandbox-image", input: { prompt: `a hill, ${n}` } }, null)).generation
    .id;
}

type Client = ReturnType<typeof createInngest>;
const createEngine = (hub: Hub, listenUrl: string, inngest: Client, functions: InngestFunction.Any[]) =>
  createEmbeddedEngine({ listenUrl, inngest, functions, log: hub.log, now: hub.now, slots: SLOTS });

async function until(done: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await done())) await new Promise((resolve) => setTimeout(resolve, 20));
}
