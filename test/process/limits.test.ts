import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type RunningHub, startHub } from "../../e2e/server";
import { type Customer, newCustomer } from "../api/customer";
import { newBrowser } from "../auth-browser";
import { testHub } from "../hub";
import { sessionHeaders } from "../session";

// Starts a whole process, which takes time on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

const READS = 12;
const FAILURES = 6;
const own = await testHub();
let hub: RunningHub;
let customer: Customer;
let session: Record<string, string>;
beforeAll(async () => {
  const limits = { RATE_LIMIT_READS_PER_MINUTE: `${READS}`, RATE_LIMIT_FAILED_AUTH_PER_MINUTE: `${FAILURES}` };
  hub = await startHub({
    env: { ...limits, DATABASE_URL: own.databaseUrl, HUB_SECRET: own.secret, DATABASE_POOL_SIZE: "5" },
  });
});
afterAll(() => hub.stop());
beforeEach(async () => {
  customer = await newCustomer(own);
  session = await sessionHeaders(own, customer.account);
});

/** Calls these routes in turn, more often than the limit allows, and returns how many calls were accepted. */
async function countAllowed(routes: (() => Promise<Response>)[], maxAllowed: number): Promise<number> {
  let allowed = 0;
  for (let next = 0; next < maxAllowed * 2; next += 1) {
    const { status } = await routes[next % routes.length]!();
    if (status !== 429) allowed += 1;
  }
  return allowed;
}
/** Returns how many tokens the bucket has regained meanwhile. */
const refilled = (perMinute: number, startedAt: number) =>
  Math.ceil(((performance.now() - startedAt) * perMinute) / 60_000);

test("REST and the console share one rate limit of an account", async () => {
  const startedAt = performance.now();
  const allowed = await countAllowed(
    [
      () => fetch(`${hub.url}/api/v1/me`, { headers: { authorization: `Bearer ${customer.key}` } }),
      () => fetch(`${hub.url}/api/trpc/account.get`, { headers: session }),
    ],
    READS,
  );
  expect(allowed).toBeGreaterThanOrEqual(READS);
  expect(allowed).toBeLessThanOrEqual(READS + refilled(READS, startedAt));
});

test("counts failed authentications of one address together, whatever was tried", async () => {
  const startedAt = performance.now();
  const guess = { email: customer.email, password: "guess" };
  const allowed = await countAllowed(
    [
      () => fetch(`${hub.url}/api/v1/me`, { headers: { authorization: "Bearer guess" } }),
      () => newBrowser(hub.url).post("/api/auth/callback/credentials", guess),
    ],
    FAILURES,
  );
  expect(allowed).toBeGreaterThanOrEqual(FAILURES);
  expect(allowed).toBeLessThanOrEqual(FAILURES + refilled(FAILURES, startedAt));
});
