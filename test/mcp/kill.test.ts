import { afterAll, expect, test, vi } from "vitest";
import { type RunningHub, startHub } from "../../e2e/server";
import { runAudit } from "../../server/domain/audit/audit";
import { newCustomer } from "../api/customer";
import { testHub } from "../hub";
import { soakCount } from "../soak";
import { connect } from "./clients";
import { connectApp } from "./connect-app";

// Starts and kills whole processes, which takes time on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 });

const KILLS = soakCount(1, 20);
const own = await testHub();
const env = { DATABASE_URL: own.databaseUrl, HUB_SECRET: own.secret, SANDBOX: "on" };
let hub: RunningHub | undefined;
afterAll(() => hub?.stop());

test(`a call that is repeated after each of ${KILLS} kills makes one generation and one charge`, async () => {
  const customer = await newCustomer(own);
  const calls = KILLS;
  // The limit has room for each call once.
  const app = await connectApp(own, customer, Number((0.0092 * calls).toFixed(9)));
  const input = { prompt: "[slow:0.5] a boat" };
  for (let kill = 0; kill < KILLS; kill += 1) {
    hub ??= await startHub({ env });
    const call = { model: "sandbox-image", input, idempotency_key: `result-${kill}` };
    const client = await connect("v2", hub.url, app.key);
    const answer = client.call("generate", call).then(
      () => "answered",
      () => "lost",
    );
    const rows = () =>
      own.db.query<{ id: string }>("SELECT id FROM generation WHERE key_id = $1 AND idempotency_key = $2", [
        app.keyId,
        call.idempotency_key,
      ]);
    await expect.poll(async () => (await rows()).length, { interval: 5, timeout: 30_000 }).toBe(1);
    await hub.kill9();
    expect(await answer).toBe("lost");
    hub = await startHub({ env: { ...env } });
    const again = await connect("v1", hub.url, app.key);
    const { output } = await again.call("generate", { ...call, wait_seconds: 40 });
    expect(output).toMatchObject({
      id: (await rows())[0]!.id,
      replayed: true,
      status: "succeeded",
      billed_cost: 0.0092,
    });
    const more = await again.call("generate", { ...call, idempotency_key: `more-${kill}` });
    expect(more.isError).toBe(kill === KILLS - 1);
  }
});
