import { expect } from "vitest";
import { newCustomer } from "../api/customer";
import type { TestHub } from "../hub";
import { connectClient } from "../mcp/clients";
import { connectApp } from "../mcp/connect-app";

/** Opens an app that calls the tool `generate` once for each kill. */
export async function openCalls(hub: TestHub, url: string, kills: number) {
  const customer = await newCustomer(hub);
  // The limit has room for each call once.
  const app = await connectApp(hub, customer, Number((0.0092 * kills).toFixed(9)));
  const call = async (version: "v1" | "v2", idempotency_key: string) =>
    (await connectClient(version, url, app.key)).call("generate", {
      model: "sandbox-image",
      input: { prompt: "[slow:5] a boat" },
      wait_seconds: 50,
      idempotency_key,
    });
  const selectSql = "SELECT id FROM generation WHERE key_id = $1 AND idempotency_key = $2";
  const select = (kill: number) => hub.db.query<{ id: string }>(selectSql, [app.keyId, `result-${kill}`]);
  return {
    /** Sends a call, waits until its generation is stored, and returns a promise of how the call ends. */
    async begin(kill: number) {
      const ended = call("v2", `result-${kill}`).then(
        () => "answered",
        () => "lost",
      );
      await expect.poll(async () => (await select(kill)).length, { interval: 5, timeout: 30_000 }).toBe(1);
      return { ended };
    },

    /** Repeats the call of each kill, and expects one generation and one charge for it. */
    async expectOneEach() {
      for (let kill = 0; kill < kills; kill += 1) {
        const { output } = await call("v1", `result-${kill}`);
        const [row] = await select(kill);
        expect(output).toMatchObject({ id: row!.id, replayed: true, status: "succeeded", billed_cost: 0.0092 });
      }
      const { error } = await call("v2", "one more");
      expect(error).toMatchObject({ code: "insufficient_credits", available: 0 });
      const chargesSql = "SELECT FROM ledger_entry WHERE account_id = $1 AND kind = 'charge'";
      expect(await hub.db.query(chargesSql, [customer.account])).toHaveLength(kills);
    },
  };
}
