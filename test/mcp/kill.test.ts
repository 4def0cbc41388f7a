import { afterAll, expect, test, vi } from "vitest";
import { makeDataDir } from "../../e2e/data-dir";
import { type RunningHub, startHub } from "../../e2e/server";
import { runAudit } from "../../server/domain/audit/audit";
import { newCustomer } from "../api/customer";
import { testHub } from "../hub";
import { soakCount } from "../soak";
import { connectClient } from "./clients";
import { connectApp } from "./connect-app";

// Starts and kills whole processes, which takes time on a busy machine.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 60_000 });

const KILLS = soakCount(1, 20);
const own = await testHub();
const dataDir = await makeDataDir();
const env = { DATABASE_URL: own.databaseUrl, HUB_SECRET: own.secret, SANDBOX: "on" };
let hub: RunningHub | undefined;
afterAll(() => hub?.kill9());

test(`calls that are repeated after ${KILLS} kills make one generation and one charge each`, async () => {
  const customer = await newCustomer(own);
  // The limit has room for each call once.
  const app = await connectApp(own, customer, Number((0.0092 * KILLS).toFixed(9)));
  const request = { model: "sandbox-image", input: { prompt: "[slow:2] a boat" }, wait_seconds: 50 };
  for (let kill = 0; kill < KILLS; kill += 1) {
    hub ??= await startHub({ env, dataDir });
    const call = { ...request, idempotency_key: `result-${kill}` };
    const client = await connectClient("v2", hub.url, app.key);
    const answer = client.call("generate", call).then(
      () => "answered",
      () => "lost",
    );
    const selectSql = "SELECT id FROM generation WHERE key_id = $1 AND idempotency_key = $2";
    const rows = () => own.db.query<{ id: string }>(selectSql, [app.keyId, call.idempotency_key]);
    await expect.poll(async () => (await rows()).length, { interval: 5, timeout: 30_000 }).toBe(1);
    await hub.kill9();
    expect(await answer).toBe("lost");
    hub = await startHub({ env, dataDir });
    const { output } = await (await connectClient("v1", hub.url, app.key)).call("generate", call);
    const [row] = await rows();
    expect(output).toMatchObject({ id: row!.id, replayed: true, status: "succeeded", billed_cost: 0.0092 });
  }
  const last = await connectClient("v2", hub!.url, app.key);
  const { error } = await last.call("generate", { ...request, idempotency_key: "one more" });
  expect(error).toMatchObject({ code: "insufficient_credits", available: 0 });
  const chargesSql = "SELECT FROM ledger_entry WHERE account_id = $1 AND kind = 'charge'";
  expect(await own.db.query(chargesSql, [customer.account])).toHaveLength(KILLS);
  expect((await runAudit(own.db)).violations).toEqual([]);
});
