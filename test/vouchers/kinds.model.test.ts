import { expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { finishGeneration } from "../../server/domain/generations/end/finish";
import { insertWithHold } from "../../server/domain/generations/intake/insert-with-hold";
import { recordPayment } from "../../server/domain/payment-records/record-payment";
import { bookPayment, lockPayment } from "../../server/domain/payments/book-payment";
import { createAccount } from "../../server/domain/people/create-account";
import { refundPayment } from "../../server/domain/reconciliation/refund";
import { redeemVoucher } from "../../server/domain/vouchers/redeem";
import { createVoucher } from "../../server/domain/vouchers/voucher";
import { newId } from "../../server/lib/id";
import { queuedGeneration } from "../generation-fixture";
import { testHub } from "../hub";
import { testOperator } from "../operator";
import { createRandom } from "../random";
import { ownerSession } from "../session";
import { seed, soakCount } from "../soak";

const hub = await testHub();
const CENT = 10_000_000n;
const RUNS = soakCount(8, 400);
const STEPS = 60;

interface Paid {
  id: string;
  /** In cents: what is left of it, and what is disputed of that. */
  left: number;
  disputed: number;
}

/** The money of an account, with each kind of credit counted separately. */
class Model {
  paid = 0n;
  promotional = 0n;
  owed = 0n;
  readonly holds: { id: string; amount: bigint }[] = [];
  readonly payments: Paid[] = [];

  get reserved() {
    return this.holds.reduce((sum, { amount }) => sum + amount, 0n);
  }

  /** Paid credit that no hold needs: holds take promotional credit first, and a debt leaves nothing. */
  get refundable() {
    return this.owed > 0n ? 0n : this.paid - max(0n, this.reserved - this.promotional);
  }

  receive(amount: bigint) {
    const repaid = min(this.owed, amount);
    this.owed -= repaid;
    this.paid += amount - repaid;
  }

  takeBack(amount: bigint) {
    const taken = min(amount, this.refundable);
    this.paid -= taken;
    this.owed += amount - taken;
  }

  settle(ended: { id: string; cost: bigint }[]) {
    for (const { id, cost } of ended) {
      this.holds.splice(
        this.holds.findIndex((hold) => hold.id === id),
        1,
      );
      const spent = min(cost, this.promotional);
      this.promotional -= spent;
      this.paid -= cost - spent;
    }
    const repaid = min(this.owed, max(0n, this.paid - this.reserved));
    this.owed -= repaid;
    this.paid -= repaid;
  }
}
const min = (a: bigint, b: bigint) => (a < b ? a : b);
const max = (a: bigint, b: bigint) => (a > b ? a : b);

/** An account with its model, and the random operations on both. */
async function openAccount(random: () => number) {
  const account = await createAccount(hub, { email: `${newId()}@example.org` });
  const ctx = await ownerSession(hub, account);
  const model = new Model();
  const upTo = (n: number) => Math.floor(random() * n);
  const book = (id: string, change: (payment: { disputed: number; reinstated: number }) => object) =>
    hub.db.transaction(async (tx) => {
      const [payment] = await lockPayment(tx, id);
      return bookPayment(hub, tx, payment!, change(payment!));
    });
  const finish = ({ id, cost }: { id: string; cost: bigint }) =>
    cost === 0n
      ? finishGeneration(hub, { id, from: ["running"], to: "canceled" })
      : finishGeneration(hub, { id, from: ["running"], to: "succeeded", cost });

  const operations = {
    async pay() {
      const amount = 1 + upTo(60);
      const reference = newId();
      const { payment } = await recordPayment(hub, testOperator, {
        accountId: account,
        amount,
        tax: 0,
        reference,
        note: null,
      });
      model.receive(BigInt(amount) * CENT);
      model.payments.push({ id: payment.id, left: amount, disputed: 0 });
    },
    async redeem() {
      const amount = BigInt(1 + upTo(300)) * 1_000_000n;
      const { code } = await createVoucher(hub, testOperator, { amount, maxRedemptions: 1, expiresAt: null });
      await redeemVoucher(ctx, code);
      model.promotional += amount;
    },
    async hold() {
      const amount = BigInt(1 + upTo(500)) * 1_000_000n;
      const generation = { ...queuedGeneration(account, amount), ...running };
      const available = model.paid + model.promotional - model.reserved;
      expect(await insertWithHold(hub, generation)).toBe(amount <= available ? "accepted" : "insufficient_credits");
      if (amount <= available) model.holds.push({ id: generation.id, amount });
    },
    // Several at once are charged by one statement.
    async settle() {
      const ended = model.holds
        .slice(0, 1 + upTo(3))
        .map(({ id, amount }) => ({ id, cost: random() < 0.3 ? 0n : (amount * BigInt(upTo(11))) / 10n }));
      await Promise.all(ended.map(finish));
      model.settle(ended);
    },
    async refund() {
      const payment = model.payments[upTo(model.payments.length)];
      if (!payment || payment.left < 1) return;
      const amount = 1 + upTo(payment.left);
      const isCovered = BigInt(amount) * CENT <= model.refundable;
      const refund = refundPayment(hub, testOperator, { paymentId: payment.id, amount, reason: "asked for" });
      if (!isCovered) return expect(refund).rejects.toMatchObject({ code: "insufficient_credits" });
      await refund;
      model.paid -= BigInt(amount) * CENT;
      payment.left -= amount;
    },
    async dispute() {
      const payment = model.payments[upTo(model.payments.length)];
      if (!payment || payment.left < 1) return;
      const amount = 1 + upTo(payment.left);
      await book(payment.id, ({ disputed }) => ({ disputed: disputed + amount }));
      model.takeBack(BigInt(amount) * CENT);
      payment.left -= amount;
      payment.disputed += amount;
    },
    async win() {
      const payment = model.payments.find(({ disputed }) => disputed > 0);
      if (!payment) return;
      await book(payment.id, ({ disputed }) => ({ reinstated: disputed }));
      model.receive(BigInt(payment.disputed) * CENT);
      payment.left += payment.disputed;
      payment.disputed = 0;
    },
  };
  return { account, model, operations };
}
const running = { status: "running" as const, is_llm: true, started_at: new Date(), deadline_at: new Date() };

const stateOf = async (id: number) =>
  (
    await hub.db.query<Record<"balance" | "promotional" | "reserved" | "owed", bigint>>(
      "SELECT balance, promotional, reserved, owed FROM account WHERE id = $1",
      [id],
    )
  )[0]!;

const weights = ["pay", "redeem", "hold", "hold", "hold", "settle", "settle", "refund", "dispute", "win"] as const;

test(`${RUNS} accounts with ${STEPS} random operations each have what a model of both kinds says`, async () => {
  const done = new Map<string, number>();
  let debts = 0;
  for (let run = 0; run < RUNS; run += 1) {
    const random = createRandom(seed + run);
    const { account, model, operations } = await openAccount(random);
    for (let step = 0; step < STEPS; step += 1) {
      const name = weights[Math.floor(random() * weights.length)]!;
      const before = model.promotional;
      await operations[name]();
      done.set(name, (done.get(name) ?? 0) + 1);
      const { paid, promotional, reserved, owed } = model;
      expect(await stateOf(account), `run ${run}, step ${step}: ${name}`).toEqual({
        balance: paid + promotional,
        promotional,
        reserved,
        owed,
      });
      if (name !== "redeem" && name !== "settle") expect(promotional).toBe(before);
      if (owed > 0n && promotional > 0n) debts += 1;
    }
  }
  expect(done.size).toBe(new Set(weights).size);
  expect(debts).toBeGreaterThan(0);
  expect((await runAudit(hub.db)).violations).toEqual([]);
});
