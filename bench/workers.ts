import { setTimeout as sleep } from "node:timers/promises";
import { createToken } from "../server/domain/workers/worker";
import { insertWithHold } from "../server/domain/generations/intake/insert-with-hold";
import { cancelStoredGeneration } from "../server/domain/generations/end/cancel";
import { waitForJob } from "../server/domain/workers/claim-job";
import { leaseNextJob } from "../server/domain/generations/run/lease";
import { followJobs } from "../server/process/notifications";
import { newId } from "../server/lib/id";
import { queuedGeneration } from "../test/generation-fixture";
import { testOperator } from "../test/operator";
import { contextOf, createCustomers } from "./accounts";
import type { Bench } from "./bench";
import { median, timeOnce } from "./load";
import { checkBound, printTimes, printTitle } from "./report";

const MODEL = "sandbox-trainer";
const JOBS = 200;
const BACKLOG = 20_000;

/** Measures how soon a waiting worker gets a job, and what a long queue costs a claim. */
export async function benchWorkers({ hub, settings }: Bench): Promise<void> {
  const { record } = await createToken(hub, testOperator, newId());
  const worker = { tokenId: record.id, name: record.name };
  const [customer = 0, busyCustomer = 0] = (await createCustomers(hub, "workers", 2)).map(({ id }) => id);
  const createJob = async (account: number) => {
    const generation = {
      ...queuedGeneration(account, 1_000n),
      model: MODEL,
      provider: "worker",
      created_at: hub.now(),
      price: { by: "gpu-second", price_per_second: 0.0005, most_seconds: 120 },
    };
    await insertWithHold(hub, generation);
    return generation.id;
  };
  const unfollow = followJobs(hub, settings.DATABASE_URL);

  printTitle("Creating a job → response to a waiting claim");
  const times: number[] = [];
  while (times.length < JOBS) {
    const waiting = waitForJob(hub, worker, { models: [MODEL], waitMs: 30_000 });
    await sleep(10);
    const { ms, result: id } = await timeOnce(async () => {
      const created = await createJob(customer);
      await waiting;
      return created;
    });
    times.push(ms);
    await cancelStoredGeneration(contextOf(hub, customer), id);
  }
  printTimes("accept → claimed", times);
  checkBound("accept → claimed, p50", median(times), "at most", 20, " ms");

  printTitle(`Claims with ${BACKLOG} queued jobs`);
  for (let n = 0; n < BACKLOG; n += 500) await Promise.all(Array.from({ length: 500 }, () => createJob(busyCustomer)));
  const claims: number[] = [];
  while (claims.length < JOBS) {
    const { ms, result: leased } = await timeOnce(() => leaseNextJob(hub, worker, [MODEL]));
    claims.push(ms);
    await cancelStoredGeneration(contextOf(hub, busyCustomer), leased!.id);
  }
  printTimes("claim", claims);
  checkBound("claim with a long queue, p50", median(claims), "at most", 20, " ms");
  await unfollow();
}
