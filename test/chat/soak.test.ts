import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { failTimedOut } from "../../server/domain/generations/run/fail-timed-out";
import { parseDecimal } from "../../server/lib/money";
import { newCustomer } from "../api/customer";
import { seed, soakCount } from "../soak";
import { CHAT, userMessages } from "./host";
import { openProcessHub } from "./process-hub";
import { misbehaviours } from "./upstream";

const CHATS = soakCount(30, 1_000);
const KILLS = soakCount(1, 15);
const SIDES = 10;
const ACCOUNTS = 5;

const plan = fc.record({
  behaviour: fc.constantFrom("", "", "", ...Object.keys(misbehaviours)),
  /** Milliseconds until the client disconnects; null if it stays connected. */
  disconnects: fc.option(fc.nat({ max: 60 }), { freq: 2 }),
  limit: fc.option(fc.integer({ min: 1, max: 2_000 })),
  account: fc.nat({ max: ACCOUNTS - 1 }),
});

test(
  `${CHATS} chats with disconnects, ${KILLS} kills and failures: the sum of the returned costs is what the ledger charged`,
  async () => {
    const { testHub, start } = await openProcessHub();
    const customers = await Promise.all(Array.from({ length: ACCOUNTS }, () => newCustomer(testHub, { credit: 100 })));
    const plans = fc.sample(plan, { seed, numRuns: CHATS });
    const returnedCosts = new Map<string, number>();
    const withoutResponse = new Set(plans.keys());
    let restartedAt = new Date();
    let hub = await start();

    const sendChat = async (index: number, signal?: AbortSignal): Promise<number> => {
      const { behaviour, limit, account } = plans[index]!;
      const response = await fetch(hub.url + CHAT, {
        method: "POST",
        headers: {
          authorization: `Bearer ${customers[account]!.key}`,
          "content-type": "application/json",
          "idempotency-key": `chat-${index}`,
        },
        body: JSON.stringify({ model: "talk", messages: userMessages(`${index} do:${behaviour}`), max_tokens: limit }),
        signal,
      });
      const body = (await response.json()) as { id: string; usage: { cost: number } };
      if (response.status === 200) returnedCosts.set(body.id, body.usage.cost);
      else expect([400, 429, 503]).toContain(response.status);
      withoutResponse.delete(index);
      return response.status;
    };
    const waiting = [...plans.entries()];
    const side = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [index, { disconnects }] = next;
        await sendChat(index, disconnects === null ? undefined : AbortSignal.timeout(disconnects)).catch(() =>
          sleep(20),
        );
      }
    };
    const sides = Promise.all(Array.from({ length: SIDES }, side));
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const enough = (CHATS * (KILLS + 1 - kill)) / (KILLS + 1);
      await expect.poll(() => waiting.length, { timeout: 60_000, interval: 1 }).toBeLessThan(enough);
      await hub.kill9();
      restartedAt = new Date();
      hub = await start();
    }
    await sides;

    // Simulates the minute after which chats without renewals are ended.
    await testHub.db.query(
      "UPDATE generation SET deadline_at = deadline_at - interval '1 minute' WHERE status = 'running' AND created_at < $1",
      [restartedAt],
    );
    const running = async () => {
      await failTimedOut(testHub);
      return (await testHub.db.query("SELECT FROM generation WHERE status = 'running'")).length;
    };
    await expect.poll(running, { timeout: 20_000 }).toBe(0);
    // Clients without a response retry with the same key: the chat is replayed, completes now, or fails.
    for (const index of withoutResponse) await sendChat(index);
    expect(await hub.stop()).toBe(0);

    const charged = await testHub.db.query<{ id: string; amount: bigint }>(
      "SELECT generation_id AS id, -amount AS amount FROM ledger_entry WHERE kind = 'charge'",
    );
    const sum = [...returnedCosts.values()].reduce((total, cost) => total + parseDecimal(cost), 0n);
    expect(charged.reduce((total, { amount }) => total + amount, 0n)).toBe(sum);
    for (const { id, amount } of charged) expect(parseDecimal(returnedCosts.get(id)!), id).toBe(amount);
    expect(await runAudit(testHub.db)).toMatchObject({ violations: [], reserved: 0 });
  },
  soakCount(120_000, 1_200_000),
);
