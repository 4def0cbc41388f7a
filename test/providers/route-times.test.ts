import { afterAll, expect, test } from "vitest";
import { openDb } from "../../server/db/client";
import { beginRun } from "../../server/domain/generations/run/advance-run";
import { endRun } from "../../server/domain/generations/run/end-run";
import { isEnding, toEnding } from "../../server/domain/generations/run/next-action";
import { runAttempt } from "../../server/domain/generations/run/run-attempt";
import type { Hub } from "../../server/domain/hub";
import { outputOf } from "../../server/providers/job";
import { deriveHub } from "../derive-hub";
import { testHub } from "../hub";
import { createPayer, createUpstream, pending, queueRouted, refusedBecause, routedCatalogue } from "../routed-hub";

const base = await testHub({ RUNNING_PER_ACCOUNT: "1000" });
const secondDb = openDb(base.databaseUrl, 2);
afterAll(() => secondDb.close());
base.catalogue = routedCatalogue(
  [
    { provider: "a@ONE", entry: 0, limits: { catalogueId: "a" } },
    { provider: "a@TWO", entry: 0, limits: { catalogueId: "a" } },
    { provider: "b", entry: 1 },
  ],
  "fastest",
);
const upstream = createUpstream();
base.providers = { replicate: upstream.provider };
const account = await createPayer(base);
/** Each has its own memory, as processes of one hub have. */
const processes = [deriveHub(base), deriveHub(base, { db: secondDb })] as const;

interface Work {
  /** The provider that accepts it, with any key; by default the first that is tried. */
  at?: "a" | "b";
  seconds: number;
  fails?: true;
}

/** Runs a generation, and returns the route that served it with the reason why it was tried. */
async function run(hub: Hub, { at, seconds, fails }: Work): Promise<[route: string, reason: string]> {
  upstream.respond = (job) =>
    at === undefined || job.route.provider.catalogueId === at ? pending(job) : refusedBecause("job");
  upstream.respondToPoll = () =>
    fails
      ? refusedBecause("job", { started: "yes" })
      : { state: "succeeded", outputs: [outputOf(Buffer.from("text"), "text/plain")] };
  const current = { generationId: await queueRouted(hub, account), runId: "run" };
  expect(await beginRun(hub, current)).toBe("running");
  let action = await runAttempt(hub, current, 1);
  for (let n = 1; !isEnding(action); action = await runAttempt(hub, current, n)) {
    if (action.next === "attempt") n += 1;
    else base.clock.advance(seconds * 1_000);
  }
  await endRun(hub, current, toEnding(action));
  const [last] = await hub.db.query<{ route: string; reason: string }>(
    "SELECT route, reason FROM attempt WHERE generation_id = $1 ORDER BY n DESC LIMIT 1",
    [current.generationId],
  );
  return [last!.route, last!.reason];
}

test("the route with the lowest median of the last hour comes first, whichever process did the work", async () => {
  const thaw = base.clock.freeze();
  try {
    // The medians are 9 and 6 seconds; the means, and the first process's times by themselves, would say otherwise.
    const done: [0 | 1, Work][] = [
      [0, { at: "a", seconds: 1 }],
      [0, { at: "a", seconds: 1 }],
      [1, { at: "a", seconds: 9 }],
      [1, { at: "a", seconds: 9 }],
      [1, { at: "a", seconds: 10 }],
      [0, { at: "b", seconds: 20 }],
      [0, { at: "b", seconds: 6 }],
      [1, { at: "b", seconds: 6 }],
      [1, { at: "a", seconds: 0.1, fails: true }],
      [1, { at: "a", seconds: 0.1, fails: true }],
    ];
    for (const [process, work] of done) await run(processes[process], work);
    const third = deriveHub(base);
    for (const hub of [...processes, third]) {
      await hub.services.routeTimes.refresh();
      expect(await run(hub, { seconds: 6 })).toEqual(["b:m", "fastest"]);
    }

    // Times that are older than an hour no longer count.
    base.clock.advance(3_600_000);
    await run(processes[1], { at: "b", seconds: 5 });
    await run(processes[1], { at: "a", seconds: 4 });
    await third.services.routeTimes.refresh();
    expect((await run(third, { seconds: 4 }))[0]).toMatch(/^a@/);
    base.clock.advance(3_600_000);
    await third.services.routeTimes.refresh();
    expect((await run(third, { seconds: 4 }))[0]).toMatch(/^a@/);
    expect(third.services.routeTimes.find("routed", 0)).toBeUndefined();
  } finally {
    thaw();
  }
});
