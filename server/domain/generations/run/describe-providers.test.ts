import { expect, test } from "vitest";
import { testHub } from "../../../../test/hub";
import {
  createPayer,
  createUpstream,
  queueRouted,
  refusedBecause,
  routeAt,
  routedCatalogue,
} from "../../../../test/routed-hub";
import { beginRun } from "./advance-run";
import { endRun } from "./end-run";
import { runAttempt } from "./run-attempt";
import { describeProviders } from "../read/describe-providers";

const hub = await testHub({ EUR_PER_USD: "0.5" });
const upstream = createUpstream();
hub.providers = { replicate: upstream.provider };

test("describes keys, limits, use and routes of the catalogue's providers", async () => {
  const spendLimitPerDay = 20_000_000_000n;
  hub.catalogue = routedCatalogue([
    { provider: "keyless", limits: { missing: ["REPLICATE_API_TOKEN"] } },
    { provider: "busy", limits: { maxInFlight: 4, perMinute: 60, spendLimitPerDay }, priceUsd: 40_000_000n },
    { provider: "busy:too", limits: { apiKey: null } },
  ]);
  const account = await createPayer(hub);
  const run = async () => {
    const id = await queueRouted(hub, account);
    await beginRun(hub, { generationId: id, runId: "run" });
    await runAttempt(hub, { generationId: id, runId: "run" }, 1);
    return id;
  };
  await run();
  const lost = await run();
  const error = { code: "provider_error" as const, message: "No.", retryable: true };
  await endRun(hub, { generationId: lost, runId: "run" }, { to: "failed", error, attempt: { outcome: "lost" } });
  const { routeHealth } = hub.services;
  routeHealth.recordFailure(routeAt(hub, "busy:too"), refusedBecause("account"), hub.now());
  await expect.poll(() => hub.db.query("SELECT FROM route_health WHERE open_until > now()")).toHaveLength(1);

  const limits = { max_in_flight: null, per_minute: null, spent_today: null, spend_limit: null };
  const route = { models: ["routed"], state: "usable", reason: null, open_until: null };
  const time = expect.stringMatching(/^\d{4}-.*Z$/) as string;
  await expect
    .poll(() => describeProviders(hub))
    .toEqual([
      {
        id: "keyless",
        kind: "replicate",
        variable: null,
        retired: false,
        key: "missing",
        missing: ["REPLICATE_API_TOKEN"],
        ...limits,
        in_flight: 0,
        lost: 0,
        routes: [{ ...route, route: "keyless:m", last_success_at: null, last_failure_at: null, last_error: null }],
      },
      {
        id: "busy",
        kind: "replicate",
        variable: null,
        retired: false,
        key: "set",
        missing: [],
        in_flight: 1,
        lost: 1,
        max_in_flight: 4,
        per_minute: 60,
        spent_today: 0.04,
        spend_limit: 10,
        routes: [{ ...route, route: "busy:m", last_success_at: time, last_failure_at: null, last_error: null }],
      },
      {
        id: "busy:too",
        kind: "replicate",
        variable: null,
        retired: false,
        key: "none",
        missing: [],
        in_flight: 0,
        lost: 0,
        ...limits,
        routes: [
          {
            route: "busy:too:m",
            models: ["routed"],
            state: "cooling_down",
            reason: "account",
            open_until: time,
            last_success_at: null,
            last_failure_at: time,
            last_error: "refused: account",
          },
        ],
      },
    ]);
  hub.clock.advance(300_000);
  expect((await describeProviders(hub))[2]!.routes).toMatchObject([{ state: "trial" }]);
});
