import { createToken } from "../server/domain/workers/worker";
import type { Hub } from "../server/context";
import { insertWithHold } from "../server/domain/generations/insert-with-hold";
import { cancelStoredGeneration } from "../server/domain/generations/cancel";
import { waitForJob } from "../server/domain/workers/wait-for-job";
import { leaseNextJob } from "../server/domain/generations/lease";
import { followWorkers } from "../server/process/notifications";
import { newId } from "../server/lib/id";
import { queuedGeneration } from "../test/generation-fixture";
import { createCustomers } from "./accounts";
import { quantile } from "./load";
import { checkBound, printLine, printTitle } from "./report";
import { testOperator } from "../test/operator";

const MODEL = "sandbox-trainer";
const JOBS = 200;
const BACKLOG = 20_000;

/** Measures how soon a waiting worker gets a job, and what a long queue costs a claim. */
export async function benchWorkers(hub: Hub, databaseUrl: string): Promise<void> {
  const { record } = await createToken(hub, testOperator, newId());
  const worker = { tokenId: record.id, name: record.name };
  const [customer, busyCustomer] = await createCustomers(hub, "workers", 2);
  const job = (account: number) => ({
    ...queuedGeneration(account, 1_000n),
    model: MODEL,
    provider: "worker",
    created_at: hub.now(),
    price: { by: "gpu-second", price_per_second: 0.0005, most_seconds: 120 },
  });
  const ctxOf = (id: number) => {
    const account = { id, email: "", member: false, balance: 0n, reserved: 0n };
    return { hub, account, actor: { kind: "user" as const }, requestId: "bench" };
  };
  const unfollow = followWorkers(hub, databaseUrl);

  printTitle("Creating a job → response to a waiting claim");
  const times: number[] = [];
  for (let n = 0; n < JOBS; n += 1) {
    const waiting = waitForJob(hub, worker, { models: [MODEL], waitMs: 30_000 });
    await new Promise((resolve) => setTimeout(resolve, 10));
    const startedAt = performance.now();
    const generation = job(customer!.id);
    await insertWithHold(hub, generation);
    await waiting;
    times.push(performance.now() - startedAt);
    await cancelStoredGeneration(ctxOf(customer!.id), generation.id);
  }
  printLine(`  p50 ${quantile(times, 0.5).toFixed(1)} ms   p99 ${quantile(times, 0.99).toFixed(1)} ms`);
  checkBound("accept → claimed, p50", quantile(times, 0.5), "at most", 20, " ms");

  printTitle(`Claims with ${BACKLOG} queued jobs`);
  for (let n = 0; n < BACKLOG; n += 500) {
    await Promise.all(Array.from({ length: 500 }, () => insertWithHold(hub, job(busyCustomer!.id))));
  }
  const claims: number[] = [];
  for (let n = 0; n < JOBS; n += 1) {
    const startedAt = performance.now();
    const leased = await leaseNextJob(hub, worker, [MODEL]);
    claims.push(performance.now() - startedAt);
    await cancelStoredGeneration(ctxOf(busyCustomer!.id), leased!.id);
  }
  printLine(`  p50 ${quantile(claims, 0.5).toFixed(1)} ms   p99 ${quantile(claims, 0.99).toFixed(1)} ms`);
  checkBound("claim with a long queue, p50", quantile(claims, 0.5), "at most", 20, " ms");
  await unfollow();
}
