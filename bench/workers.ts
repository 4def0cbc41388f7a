import { createToken } from "../server/domain/workers/worker";
import type { Hub } from "../server/context";
import { insertWithHold } from "../server/domain/generations/insert-with-hold";
import { cancelStoredGeneration } from "../server/domain/generations/cancel";
import { waitForJob } from "../server/domain/workers/wait-for-job";
import { leaseNextJob } from "../server/domain/generations/lease";
import { followWorkers } from "../server/process/follow-workers";
import { newId } from "../server/lib/id";
import { draft } from "../test/draft";
import { makeCustomers } from "./accounts";
import { quantile } from "./load";
import { bound, print, title } from "./report";

const MODEL = "sandbox-trainer";
const JOBS = 200;
const BACKLOG = 20_000;

/** How soon a worker that waits has a job, and what a long queue costs a claim. */
export async function benchWorkers(hub: Hub, databaseUrl: string): Promise<void> {
  const { record } = await createToken(hub, newId());
  const worker = { tokenId: record.id, name: record.name };
  const [customer, flood] = await makeCustomers(hub, "workers", 2);
  const job = (account: number) => ({
    ...draft(account, 1_000n),
    ...{ model: MODEL, provider: "worker", created_at: hub.now() },
    price: { by: "gpu-second", price_per_second: 0.0005, most_seconds: 120 },
  });
  const ctxOf = (id: number) => {
    const account = { id, email: "", member: false, balance: 0n, reserved: 0n };
    return { hub, account, actor: { kind: "user" as const }, requestId: "bench" };
  };
  const unfollow = followWorkers(hub, databaseUrl);

  title("a job for a worker that waits: from before its acceptance to the claim's answer");
  const times: number[] = [];
  for (let n = 0; n < JOBS; n += 1) {
    const waiting = waitForJob(hub, worker, { models: [MODEL], waitMs: 30_000 });
    await new Promise((resolve) => setTimeout(resolve, 10));
    const began = performance.now();
    const generation = job(customer!.id);
    await insertWithHold(hub, generation);
    await waiting;
    times.push(performance.now() - began);
    await cancelStoredGeneration(ctxOf(customer!.id), generation.id);
  }
  print(`  p50 ${quantile(times, 0.5).toFixed(1)} ms   p99 ${quantile(times, 0.99).toFixed(1)} ms`);
  bound("accept → claimed, p50", quantile(times, 0.5), "at most", 20, " ms");

  title(`claims before a queue of ${BACKLOG}`);
  for (let n = 0; n < BACKLOG; n += 500) {
    await Promise.all(Array.from({ length: 500 }, () => insertWithHold(hub, job(flood!.id))));
  }
  const claims: number[] = [];
  for (let n = 0; n < JOBS; n += 1) {
    const began = performance.now();
    const taken = await leaseNextJob(hub, worker, [MODEL]);
    claims.push(performance.now() - began);
    await cancelStoredGeneration(ctxOf(flood!.id), taken!.id);
  }
  print(`  p50 ${quantile(claims, 0.5).toFixed(1)} ms   p99 ${quantile(claims, 0.99).toFixed(1)} ms`);
  bound("claim before a long queue, p50", quantile(claims, 0.5), "at most", 20, " ms");
  await unfollow();
}
