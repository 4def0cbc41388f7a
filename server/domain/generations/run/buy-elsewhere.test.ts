import { expect, test } from "vitest";
import { testHub } from "../../../../test/hub";
import {
  createPayer,
  createUpstream,
  pending,
  queueRouted,
  refusedBecause,
  type RouteOptions,
  routedCatalogue,
} from "../../../../test/routed-hub";
import { runAudit } from "../../audit/audit";
import { beginRun } from "./advance-run";
import { callbackUrlFor } from "./callback-url";
import { endRun } from "./end-run";
import { isEnding, type NextAction, toEnding } from "./next-action";
import { receiveCallback } from "./receive-callback";
import { runAttempt } from "./run-attempt";

const hub = await testHub({ EUR_PER_USD: "1", RUNNING_PER_ACCOUNT: "1000", BASE_URL: "https://hub.example" });
const upstream = createUpstream();
hub.providers = { replicate: upstream.provider };

const unknown = refusedBecause("outage", {
  started: "unknown",
  error: { code: "provider_error", message: "reset", retryable: true },
});

let suites = 0;

/** Runs a generation whose submits to the first `lost` routes are lost, up to its end or its first accepted job. */
async function run(lost: number, routes: Partial<RouteOptions>[]) {
  suites += 1;
  const providers = routes.map((_, index) => `p${suites}-${index}`);
  hub.catalogue = routedCatalogue(
    routes.map((route, index) => ({
      priceUsd: 5_000_000n,
      limits: { spendLimitPerDay: 1_000_000_000n },
      ...route,
      provider: providers[index]!,
    })),
  );
  upstream.respond = (job) => (providers.indexOf(job.route.provider.id) < lost ? unknown : pending(job));
  const account = await createPayer(hub);
  const id = await queueRouted(hub, account);
  const current = { generationId: id, runId: "run" };
  expect(await beginRun(hub, current)).toBe("running");
  const before = upstream.submits.length;
  let action: NextAction = { next: "attempt", pauseSeconds: 0 };
  for (let n = 1; !isEnding(action) && n < 20;) {
    action = await runAttempt(hub, current, n);
    if (action.next === "attempt") n += 1;
    else if (action.next === "poll" && action.pollAfterSeconds !== 1) break;
    else if (upstream.submits.at(-1)!.route.provider.id !== providers[n - 1] || n > lost) break;
    hub.clock.advance(61_000);
  }
  if (isEnding(action)) await endRun(hub, current, toEnding(action));
  const attempts = await hub.db.query<{ id: string; route: string; outcome: string | null; reason: string }>(
    "SELECT id, route, outcome, reason FROM attempt WHERE generation_id = $1 ORDER BY n",
    [id],
  );
  const spent = await hub.db.query<{ provider: string; spent: bigint }>(
    "SELECT provider, spent FROM provider_spending WHERE provider = ANY ($1) ORDER BY provider",
    [providers],
  );
  return {
    id,
    account,
    current,
    action,
    attempts,
    spent: spent.map((row) => row.spent),
    submits: upstream.submits.length - before,
  };
}

test("a lost answer is never bought again by default", async () => {
  const { action, attempts, submits } = await run(1, [{}, {}]);
  expect(action).toMatchObject({ next: "fail", attempt: { outcome: "lost" } });
  expect([attempts.map(({ outcome }) => outcome), submits]).toEqual([["lost"], 1]);
});

test("on a route that says so it is bought again elsewhere, once; both count, and the customer pays once", async () => {
  const before = await runAudit(hub.db);
  const { id, account, current, attempts, spent, submits } = await run(1, [{ onUnknown: "retry" }, {}]);
  expect(submits).toBe(2);
  expect(attempts.map(({ outcome, reason }) => [outcome, reason])).toEqual([
    ["lost", "order"],
    [null, "bought_again"],
  ]);
  expect(spent).toEqual([5_000_000n, 5_000_000n]);

  // A late result of the first is recorded, but not delivered.
  const published = hub.published.length;
  hub.providers = { replicate: { ...upstream.provider, callback: async () => ({ upstreamId: "late" }) } };
  const token = new URL(
    callbackUrlFor(hub, hub.catalogue.get("routed")!.routes[0]!, attempts[0]!.id)!,
  ).searchParams.get("token")!;
  const request = { headers: {}, body: Buffer.from("{}"), rawBody: Buffer.from("{}") } as never;
  await receiveCallback(hub, { attemptId: attempts[0]!.id, token }, request);
  hub.providers = { replicate: upstream.provider };
  const [first] = await hub.db.query<{ outcome: string; upstream_id: string; reported_at: Date | null }>(
    "SELECT outcome, upstream_id, reported_at FROM attempt WHERE id = $1",
    [attempts[0]!.id],
  );
  expect(first).toMatchObject({ outcome: "lost", upstream_id: "late" });
  expect(first!.reported_at).not.toBeNull();
  expect(hub.published.length).toBe(published);

  await endRun(hub, current, {
    to: "succeeded",
    outputs: 0,
    cost: 10_000_000n,
    attempt: { outcome: "succeeded", cost: "5000000" },
  });
  const charges = await hub.db.query("SELECT FROM ledger_entry WHERE account_id = $1 AND kind = 'charge'", [account]);
  expect(charges).toHaveLength(1);
  const after = await runAudit(hub.db);
  expect([after.bought_again - before.bought_again, after.lost - before.lost, after.violations]).toEqual([1, 1, []]);
  expect(id).toMatch(/-/);
});

test("also where a callback could still bring the job, without waiting for it", async () => {
  hub.providers = { replicate: { ...upstream.provider, callback: async () => ({ upstreamId: "late" }) } };
  try {
    expect((await run(1, [{ onUnknown: "retry" }, {}])).attempts.map(({ reason }) => reason)).toEqual([
      "order",
      "bought_again",
    ]);
    // Without the setting, the callback is awaited.
    expect(await run(1, [{}, {}])).toMatchObject({ action: { next: "poll" }, submits: 1 });
  } finally {
    hub.providers = { replicate: upstream.provider };
  }
});

test("a second lost answer ends the generation", async () => {
  const retry = { onUnknown: "retry" } as const;
  const { action, attempts, submits } = await run(2, [retry, retry, retry]);
  expect(action).toMatchObject({ next: "fail", attempt: { outcome: "lost" } });
  expect([attempts.map(({ outcome }) => outcome), submits]).toEqual([["lost", "lost"], 2]);
});

test("without another route it is not bought again", async () => {
  const { action, submits } = await run(1, [{ onUnknown: "retry" }]);
  expect([action.next, submits]).toEqual(["fail", 1]);
});
