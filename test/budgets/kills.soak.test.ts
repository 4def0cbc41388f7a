import { expect, test } from "vitest";
import { type RunningHub, startHub } from "../../e2e/server";
import { contextOf } from "../../server/context";
import { runAudit } from "../../server/domain/audit/audit";
import { createBudget } from "../../server/domain/budgets/change-budget";
import { createKey } from "../../server/domain/keys/create";
import { reservePort } from "../reserve-port";
import { toEuros } from "../../server/lib/money";
import { newCustomer } from "../api/customer";
import { testHub } from "../hub";
import { CHAT, GENERATIONS, messages, painting } from "../labels/paths";

const KEYS = 10;
const ROUNDS = 10;
const REQUESTS = 200;
/** Less than the cost of the requests that the surviving process gets. */
const AMOUNT = 3;
const PROBE_MS = 20;

const hub = await testHub();

test("two processes of which one is killed never spend more than a budget of ten keys at any instant", async () => {
  const { account, email } = await newCustomer(hub, { credit: 100 });
  const keys = await Promise.all(Array.from({ length: KEYS }, (_, n) => createKey(hub, account, { name: `${n}` })));
  const ctx = contextOf(
    hub,
    { id: account, email, member: false, balance: 0n, reserved: 0n },
    { kind: "user" },
    "test",
  );
  const scope = { keys: keys.map(({ record }) => record.id) };
  await hub.db.transaction((tx) => createBudget(tx, ctx, { name: "all", amount: AMOUNT, window: "total", scope }));

  const probe = startProbe();
  const env = {
    DATABASE_URL: hub.databaseUrl,
    HUB_SECRET: hub.secret,
    SANDBOX: "on",
    LOG_LEVEL: "error",
    RATE_LIMIT_WRITES_PER_MINUTE: "100000",
  };
  const start = async () => startHub({ env: { ...env, PORT: String(await reservePort()) } });
  const hubs: RunningHub[] = await Promise.all([start(), start()]);
  const statuses = new Map<number, number>();
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const sent = Array.from({ length: REQUESTS }, async (_, n) => {
        const body = n % 2 === 0 ? painting : { model: "sandbox-text", messages };
        const status = await send(hubs[(n >> 1) % 2]!, n % 2 === 0 ? GENERATIONS : CHAT, keys[n % KEYS]!.key, body);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      });
      await Promise.race(sent);
      await hubs[0]!.kill9();
      await Promise.all(sent);
      if (round < ROUNDS - 1) hubs[0] = await start();
    }
    await waitUntilSettled();
  } finally {
    await Promise.all(hubs.map((one) => one.stop()));
  }
  const { highest, reads } = await probe.stop();
  expect([...statuses.keys()].filter((status) => ![0, 200, 202, 402].includes(status))).toEqual([]);
  expect(statuses.get(402)).toBeGreaterThan(0);
  expect(reads).toBeGreaterThan(50);
  expect(toEuros(highest)).toBeLessThanOrEqual(AMOUNT);
  // What is left does not cover one more picture.
  expect(toEuros(highest)).toBeGreaterThan(AMOUNT - 0.01);
  expect(await runAudit(hub.db)).toMatchObject({ violations: [] });
}, 900_000);

/** Waits until everything has ended, also what the killed process was running. */
async function waitUntilSettled(): Promise<void> {
  const unsettled = () => hub.db.query("SELECT FROM generation WHERE settled_at IS NULL").then((rows) => rows.length);
  await expect.poll(unsettled, { timeout: 180_000, interval: 500 }).toBe(0);
}

/** Returns the status of a response; 0 if the process was killed. */
const send = (target: RunningHub, path: string, key: string, body: object): Promise<number> =>
  fetch(target.url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  }).then(
    async (reply) => {
      await reply.text();
      return reply.status;
    },
    () => 0,
  );

/** Reads fifty times a second what is spent and held of the budget, from the generations themselves. */
function startProbe() {
  let [isStopped, highest, reads] = [false, 0n, 0];
  const run = async () => {
    while (!isStopped) {
      const [row] = await hub.db.query<{ used: bigint }>(
        "SELECT coalesce(sum(CASE WHEN settled_at IS NULL THEN estimated_cost ELSE coalesce(billed_cost, 0) END), 0)::bigint AS used FROM generation",
      );
      if (row!.used > highest) highest = row!.used;
      reads += 1;
      await new Promise((resolve) => setTimeout(resolve, PROBE_MS));
    }
  };
  const running = run();
  return {
    async stop() {
      isStopped = true;
      await running;
      return { highest, reads };
    },
  };
}
