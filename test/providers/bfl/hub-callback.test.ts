import { afterAll, beforeAll, expect, test } from "vitest";
import { createAccount } from "../../../server/domain/accounts/account";
import type { Run } from "../../../server/domain/generations/claim";
import { insertWithHold } from "../../../server/domain/generations/insert-with-hold";
import { markRunning } from "../../../server/domain/generations/mark-running";
import { creditAccount } from "../../../server/domain/ledger/credit";
import { receiveCallback } from "../../../server/domain/runs/receive-callback";
import { runAttempt } from "../../../server/domain/runs/run-attempt";
import { queuedGeneration } from "../../generation-fixture";
import { openProviderHub, type ProviderHub } from "../generation-run";
import { makers } from "../makers";
import { type BflDouble, openBflDouble } from "./double";
import type { BflCallback } from "./job";

let double: BflDouble;
let hub: ProviderHub["hub"];
let account: number;
beforeAll(async () => {
  double = await openBflDouble();
  const { catalogue } = makers.find(({ kind }) => kind === "bfl")!;
  ({ hub } = await openProviderHub(catalogue(double.url)));
  account = await createAccount(hub, { email: "bfl@example.org" });
  await creditAccount(hub, account, { amount: 1_000n });
});
afterAll(() => double.close());

/** Starts a generation whose submit is taken on, but not answered. */
async function loseSubmit(): Promise<Run> {
  const generation = { ...queuedGeneration(account, 10n), model: "model", created_at: hub.now() };
  await insertWithHold(hub, generation);
  const run = { generationId: generation.id, runId: "a" };
  await markRunning(hub, run);
  double.failNextSubmits("reset after");
  expect(await runAttempt(hub, run, 1)).toMatchObject({ next: "poll", callsBack: true });
  return run;
}

/** Brings a callback of the double to the hub. */
function deliver({ url, headers, body }: BflCallback): Promise<void> {
  const { pathname, searchParams } = new URL(url);
  const target = { attemptId: pathname.split("/").at(-1)!, token: searchParams.get("token")! };
  return receiveCallback(hub, target, { headers: new Headers(headers), body: Buffer.from(body) });
}

test("a lost submit is found by its callback, once and again", async () => {
  const run = await loseSubmit();
  expect(await runAttempt(hub, run, 1)).toMatchObject({ next: "poll", callsBack: true });
  const callback = double.endJob(double.listJobs().at(-1)!);
  await deliver(callback);
  await deliver(callback);
  expect(await runAttempt(hub, run, 1)).toMatchObject({ next: "succeed", outputs: 1 });
  expect(double.accepted).toHaveLength(1);
});

test("a callback that another one has signed finds nothing", async () => {
  const run = await loseSubmit();
  const own = double.endJob(double.listJobs().at(-1)!);
  await loseSubmit();
  const other = double.endJob(double.listJobs().at(-1)!);
  for (const forgery of [
    { ...own, headers: other.headers, body: other.body },
    { ...own, headers: {} },
    { ...own, url: other.url },
  ])
    await expect(deliver(forgery)).rejects.toMatchObject({ code: "unauthorized" });
  expect(await runAttempt(hub, run, 1)).toMatchObject({ next: "poll", callsBack: true });
});
