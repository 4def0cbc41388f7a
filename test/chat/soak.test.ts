import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { parseDecimal } from "../../server/lib/money";
import { newCustomer } from "../api/customer";
import { seed, times } from "../soak";
import { CHAT, user } from "./host";
import { openProcessHub } from "./process-hub";
import { misbehaviours } from "./upstream";

const CHATS = times(100, 1_000);
const KILLS = times(2, 15);
const SIDES = 10;
const ACCOUNTS = 5;

const plan = fc.record({
  behaviour: fc.constantFrom("", "", "", ...Object.keys(misbehaviours)),
  /** Milliseconds until the client hangs up; null: it stays. */
  hangsUp: fc.option(fc.nat({ max: 60 }), { freq: 2 }),
  limit: fc.option(fc.integer({ min: 1, max: 2_000 })),
  account: fc.nat({ max: ACCOUNTS - 1 }),
});

test(
  `${CHATS} chats with hang-ups, ${KILLS} kills and misbehaviour: the sum of the costs told is what the ledger took`,
  async () => {
    const { own, start } = await openProcessHub();
    const customers = await Promise.all(Array.from({ length: ACCOUNTS }, () => newCustomer(own, { credit: 100 })));
    const plans = fc.sample(plan, { seed, numRuns: CHATS });
    const told = new Map<string, number>();
    const unanswered = new Set(plans.keys());
    let hub = await start();

    const ask = async (index: number, signal?: AbortSignal): Promise<number> => {
      const { behaviour, limit, account } = plans[index]!;
      const response = await fetch(hub.url + CHAT, {
        method: "POST",
        headers: {
          authorization: `Bearer ${customers[account]!.key}`,
          "content-type": "application/json",
          "idempotency-key": `chat-${index}`,
        },
        body: JSON.stringify({ model: "talk", messages: user(`${index} do:${behaviour}`), max_tokens: limit }),
        signal,
      });
      const body = (await response.json()) as { id: string; usage: { cost: number } };
      if (response.status === 200) told.set(body.id, body.usage.cost);
      else expect([400, 429, 503]).toContain(response.status);
      unanswered.delete(index);
      return response.status;
    };
    const waiting = [...plans.entries()];
    const side = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [index, { hangsUp }] = next;
        await ask(index, hangsUp === null ? undefined : AbortSignal.timeout(hangsUp)).catch(() => sleep(20));
      }
    };
    const sides = Promise.all(Array.from({ length: SIDES }, side));
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const enough = (CHATS * (KILLS + 1 - kill)) / (KILLS + 1);
      await expect.poll(() => waiting.length, { timeout: 60_000, interval: 1 }).toBeLessThan(enough);
      await hub.kill9();
      hub = await start();
    }
    await sides;
    expect(await hub.stop()).toBe(0);

    // As if the minute had passed after which chats that nobody speaks for are given up.
    await own.db.query(
      "UPDATE generation SET deadline_at = deadline_at - interval '1 minute' WHERE status = 'running'",
    );
    hub = await start();
    const running = async () => (await own.db.query("SELECT FROM generation WHERE status = 'running'")).length;
    await expect.poll(running, { timeout: 20_000 }).toBe(0);
    // Whoever has no answer asks once more by the same key: it is told what was done, or it is done now, or it fails.
    for (const index of unanswered) await ask(index);
    expect(await hub.stop()).toBe(0);

    const charged = await own.db.query<{ id: string; amount: bigint }>(
      "SELECT generation_id AS id, -amount AS amount FROM ledger_entry WHERE kind = 'charge'",
    );
    const sum = [...told.values()].reduce((total, cost) => total + parseDecimal(cost), 0n);
    expect(charged.reduce((total, { amount }) => total + amount, 0n)).toBe(sum);
    for (const { id, amount } of charged) expect(parseDecimal(told.get(id)!), id).toBe(amount);
    expect(await runAudit(own.db)).toMatchObject({ violations: [], reserved: 0 });
  },
  times(120_000, 1_200_000),
);
