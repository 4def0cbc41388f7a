import { afterAll, expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { newCustomer } from "../api/customer";
import { openRunningHost } from "../api/hosts";
import { soakCount } from "../soak";
import { connectClient } from "./clients";

const host = await openRunningHost();
const model = "sandbox-image";
const CALLS = soakCount(24, 100);
afterAll(async () => {
  expect((await runAudit(host.hub.db)).violations).toEqual([]);
});

async function priceOf(key: string, input: object): Promise<number> {
  const client = await connectClient("v2", host.url, key);
  return Number((await client.call("estimate", { model, input })).output.estimated_cost);
}

test(`${CALLS} concurrent calls on the last cent of a key's limit never spend more`, async () => {
  const price = await priceOf((await newCustomer(host.hub)).key, { prompt: "a" });
  // Room for two calls and a part of a third.
  const customer = await newCustomer(host.hub, { spendLimit: Number((price * 2.5).toFixed(9)) });
  const clients = await Promise.all([
    connectClient("v1", host.url, customer.key),
    connectClient("v2", host.url, customer.key),
  ]);
  const answers = await Promise.all(
    Array.from({ length: CALLS }, (_, index) =>
      clients[index % 2]!.call("generate", { model, input: { prompt: "a" }, wait_seconds: 30 }),
    ),
  );
  expect(answers.filter(({ isError }) => !isError)).toHaveLength(2);
  expect(new Set(answers.filter(({ isError }) => isError).map(({ error }) => error.code))).toEqual(
    new Set(["insufficient_credits"]),
  );
  const [row] = await host.hub.db.query<{ charged: string; count: string }>(
    "SELECT sum(billed_cost)::text AS charged, count(*)::text AS count FROM generation WHERE account_id = $1",
    [customer.account],
  );
  expect(Number(row!.charged) / 1e9).toBeCloseTo(price * 2, 9);
  expect(row!.count).toBe("2");
});

test("a call that costs too much learns what it could have", async () => {
  const { key } = await newCustomer(host.hub);
  const [dear, cheap] = [await priceOf(key, { prompt: "a", resolution: "4k" }), await priceOf(key, { prompt: "a" })];
  expect(dear).toBeGreaterThan(cheap);
  const poor = await newCustomer(host.hub, { spendLimit: cheap, spendLimitReset: "day" });
  const client = await connectClient("v2", host.url, poor.key);
  const call = { model, input: { prompt: "a", resolution: "4k" } };
  const { text, error } = await client.call("generate", call);
  expect(text).toMatch(/it resets at .+T00:00:00.000Z[^]*Next: Choose resolution "1k"/);
  expect(error).toMatchObject({ code: "insufficient_credits", required: dear, available: cheap });
  expect((await client.call("estimate", call)).output).toMatchObject({ is_affordable: false, remaining: cheap });
});
