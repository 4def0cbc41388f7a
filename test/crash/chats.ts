import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { expect } from "vitest";
import { newCustomer } from "../api/customer";
import { CHAT, userMessages } from "../chat/host";
import { misbehaviours } from "../chat/upstream";
import { failTimedOut } from "../../server/domain/generations/run/fail-timed-out";
import { parseDecimal } from "../../server/lib/money";
import type { TestHub } from "../hub";
import { seed, soakCount } from "../soak";

const CHATS = soakCount(30, 1_000);
const SIDES = 10;
const ACCOUNTS = 5;

const plan = fc.record({
  behaviour: fc.constantFrom("", "", "", ...Object.keys(misbehaviours)),
  /** Milliseconds until the client disconnects; null if it stays connected. */
  disconnects: fc.option(fc.nat({ max: 60 }), { freq: 2 }),
  limit: fc.option(fc.integer({ min: 1, max: 2_000 })),
  account: fc.nat({ max: ACCOUNTS - 1 }),
});

/** Opens accounts whose clients chat with the model `talk`, disconnect at times, and meet failures of the provider. */
export async function openChats(hub: TestHub, url: string, kills: number) {
  const customers = await Promise.all(Array.from({ length: ACCOUNTS }, () => newCustomer(hub, { credit: 100 })));
  const plans = fc.sample(plan, { seed, numRuns: CHATS });
  const returnedCosts = new Map<string, number>();
  const withoutResponse = new Set(plans.keys());

  const send = async (index: number, signal?: AbortSignal): Promise<void> => {
    const { behaviour, limit, account } = plans[index]!;
    const response = await fetch(url + CHAT, {
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
  };
  const waiting = [...plans.entries()];
  const side = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, { disconnects }] = next;
      await send(index, disconnects === null ? undefined : AbortSignal.timeout(disconnects)).catch(() => sleep(20));
    }
  };
  let sides: Promise<unknown> | undefined;
  return {
    /** Starts the clients, and waits until they have sent the share of the chats that a kill is to interrupt. */
    async untilBusy(kill: number) {
      sides ??= Promise.all(Array.from({ length: SIDES }, side));
      const enough = (CHATS * (kills - kill)) / (kills + 1);
      await expect.poll(() => waiting.length, { timeout: 60_000, interval: 1 }).toBeLessThan(enough);
    },

    /** Expects that the sum of the returned costs is what the ledger has charged; `restartedAt` is after the last kill. */
    async expectCharges(restartedAt: Date) {
      await sides;
      // Simulates the minute after which chats without renewals are ended.
      await hub.db.query(
        `UPDATE generation SET deadline_at = deadline_at - interval '1 minute'
         WHERE status = 'running' AND model = 'talk' AND created_at < $1`,
        [restartedAt],
      );
      const running = async () => {
        await failTimedOut(hub);
        return hub.db.query("SELECT FROM generation WHERE status = 'running' AND model = 'talk'");
      };
      await expect.poll(running, { timeout: 20_000 }).toEqual([]);
      // Clients without a response retry with the same key: the chat is replayed, completes now, or fails.
      for (const index of withoutResponse) await send(index);

      const charged = await hub.db.query<{ id: string; amount: bigint }>(
        "SELECT generation_id AS id, -amount AS amount FROM ledger_entry WHERE kind = 'charge' AND account_id = ANY($1)",
        [customers.map(({ account }) => account)],
      );
      const sum = [...returnedCosts.values()].reduce((total, cost) => total + parseDecimal(cost), 0n);
      expect(charged.reduce((total, { amount }) => total + amount, 0n)).toBe(sum);
      for (const { id, amount } of charged) expect(parseDecimal(returnedCosts.get(id)!), id).toBe(amount);
    },
  };
}
