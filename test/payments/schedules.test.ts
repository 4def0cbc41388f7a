import fc from "fast-check";
import { expect, test, vi } from "vitest";
import type { Ctx } from "../../server/context";
import { runAudit } from "../../server/domain/audit/audit";
import type { Hub } from "../../server/domain/hub";
import { enableAutomaticTopUp } from "../../server/domain/top-ups/automatic-top-up";
import { startMethodSetup, startTopUp } from "../../server/domain/top-ups/top-up";
import { refundPayment } from "../../server/domain/reconciliation/refund";
import { openPaymentProviders } from "../../server/payments/registry";
import { deriveHub } from "../derive-hub";
import { testOperator } from "../operator";
import { seed, soakCount } from "../soak";
import { killableDb } from "./killable-db";
import { newPayer, payingHub, processPayments, reconcileAll, sendEvent, spend } from "./paying-hub";
import type { DoubleEvent } from "./stripe-double";

vi.setConfig({ testTimeout: soakCount(240_000, 7_200_000) });

const { hub: plain, double } = await payingHub({ STRIPE_TAX: "on", RUNNING_PER_ACCOUNT: "200" });
const { db, kill } = killableDb(plain.db);
// A process that can be killed, with clients of its own.
const hub = deriveHub(plain, { db, payments: await openPaymentProviders(plain.env) });

const HOUR_MS = 3_600_000;
const index = fc.nat({ max: 9 });
const cents = fc.integer({ min: 1, max: 1_500 });
const card = fc.constantFrom("4242" as const, "4242" as const, "3155" as const, "0341" as const);
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("topUp" as const),
      amount: fc.integer({ min: 500, max: 1_500 }),
      end: fc.constantFrom("paid", "paid", "later", "open", "expired"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("settle" as const), index, arrives: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("refund" as const), index, cents }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("operatorRefund" as const), index, cents }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("failRefund" as const), index }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("dispute" as const), index, cents, isInquiry: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("close" as const), index, isWon: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("automatic" as const), card }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("spend" as const), cents }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant("process" as const), together: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("deliver" as const),
      order: fc.array(fc.nat({ max: 40 }), { maxLength: 12 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("wait" as const), hours: fc.constantFrom(0.2, 2, 30) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
const lost = fc.constantFrom("unreached" as const, "unanswered" as const, null, null);
/** After how many statements the process is killed, and which calls of Stripe or their answers are lost. */
const trouble = fc.oneof(
  { weight: 2, arbitrary: fc.constant(null) },
  {
    weight: 1,
    arbitrary: fc.record({
      kill: fc.oneof(fc.nat({ max: 30 }), fc.constant(Infinity)),
      faults: fc.array(lost, { maxLength: 6 }),
    }),
  },
);

interface World {
  ctx: Ctx<Hub>;
  undelivered: DoubleEvent[];
  delivered: number;
}

const pick = <T>(all: T[], at: number): T | undefined => (all.length > 0 ? all[at % all.length] : undefined);

/** Returns what the double knows of the account's payments. */
async function truthOf({ ctx }: World) {
  const [known] = await plain.db.query<{ customer_ref: string }>(
    "SELECT customer_ref FROM payment_customer WHERE account_id = $1",
    [ctx.account.id],
  );
  const customer = known?.customer_ref;
  const intents = [...double.intents.values()].filter(
    (intent) => customer !== undefined && intent.customer === customer,
  );
  const refs = new Set(intents.map(({ id }) => id));
  return {
    intents,
    sessions: [...double.sessions.values()].filter((session) => session.customer === customer),
    refunds: [...double.refunds.values()].filter(({ payment_intent }) => refs.has(payment_intent)),
    disputes: [...double.disputes.values()].filter(({ payment_intent }) => refs.has(payment_intent)),
  };
}

const actions: { [Name in Step["do"]]: (world: World, step: Extract<Step, { do: Name }>) => Promise<unknown> } = {
  async topUp({ ctx }, { amount, end }) {
    const before = double.sessions.size;
    await startTopUp(ctx, { amount, savesMethod: false });
    const session = [...double.sessions.keys()].slice(before).at(-1);
    if (!session) return;
    if (end === "expired") double.expire(session);
    else if (end !== "open") double.pay(session, { later: end === "later" });
  },
  async settle(world, { index, arrives }) {
    const waiting = (await truthOf(world)).sessions.filter(({ payment_intent }) => payment_intent !== null);
    const session = pick(waiting, index);
    if (session) double.settle(session.id, arrives);
  },
  async refund(world, { index, cents }) {
    const paid = pick(
      (await truthOf(world)).intents.filter(({ status }) => status === "succeeded"),
      index,
    );
    if (paid) double.refund(paid.id, cents);
  },
  async operatorRefund({ ctx }, { index, cents }) {
    const paid = await plain.db.query<{ id: string }>(
      "SELECT id FROM payment WHERE account_id = $1 AND state = 'paid' ORDER BY id",
      [ctx.account.id],
    );
    const payment = pick(paid, index);
    if (payment) await refundPayment(hub, testOperator, { paymentId: payment.id, amount: cents, reason: "test" });
  },
  async failRefund(world, { index }) {
    const refund = pick((await truthOf(world)).refunds, index);
    if (refund) double.failRefund(refund.id);
  },
  async dispute(world, { index, cents, isInquiry }) {
    const paid = pick(
      (await truthOf(world)).intents.filter(({ status }) => status === "succeeded"),
      index,
    );
    if (paid) double.dispute(paid.id, Math.min(cents, paid.amount), isInquiry);
  },
  async close(world, { index, isWon }) {
    const open = (await truthOf(world)).disputes.filter(({ status }) => String(status).endsWith("needs_response"));
    const dispute = pick(open, index);
    if (dispute) double.closeDispute(dispute.id, isWon);
  },
  async automatic(world, { card }) {
    await startMethodSetup(world.ctx);
    double.pay([...double.sessions.keys()].at(-1)!, { card });
    await reconcileAll(hub);
    await enableAutomaticTopUp(world.ctx, { threshold: 300, target: 1_200, monthlyCap: 20_000 });
  },
  spend: ({ ctx }, { cents }) => spend(hub, ctx.account.id, cents / 100),
  process: (_, { together }) => Promise.all(Array.from({ length: together }, () => processPayments(hub))),
  async deliver(world, { order }) {
    world.undelivered.push(...double.events.slice(world.delivered));
    world.delivered = double.events.length;
    // In any order, some twice, some never.
    const sent = order.flatMap((at) => pick(world.undelivered, at) ?? []);
    const forged = sent
      .slice(0, 1)
      .map((event) => sendEvent(hub, { ...event, id: `${event.id}_forged` }, "whsec_forged"));
    const statuses = await Promise.all([...forged, ...sent.map((event) => sendEvent(hub, event))]);
    expect(statuses.slice(0, forged.length).every((status) => status === 400)).toBe(true);
  },
  wait: (_, { hours }) => Promise.resolve(plain.clock.advance(hours * HOUR_MS)),
};

async function runStep(
  world: World,
  one: Step,
  problem: { kill: number; faults: ("unreached" | "unanswered" | null)[] } | null,
) {
  const faults = [...(problem?.faults ?? [])];
  double.faults.next = () => faults.shift() ?? null;
  kill.left = problem?.kill ?? Infinity;
  const act = actions[one.do] as (world: World, step: Step) => Promise<unknown>;
  // Whatever it rejects or leaves half done, the ledger is right in the end.
  await act(world, one).catch(() => null);
  kill.left = Infinity;
  double.faults.next = () => null;
}

/** Ends all that is under way, as the minutes and days after it do. */
async function settleAll() {
  for (const { id, status, payment_status, payment_intent } of double.sessions.values()) {
    if (status === "open") double.expire(id);
    else if (payment_status === "unpaid" && payment_intent !== null) double.settle(id, true);
  }
  for (const hours of [0.3, 26]) {
    plain.clock.advance(hours * HOUR_MS);
    await processPayments(hub);
    await reconcileAll(hub);
  }
}

async function checkBooks(world: World) {
  const { intents, refunds, disputes, sessions } = await truthOf(world);
  let expected = 0n;
  for (const { id, amount, net, status } of intents) {
    if (status !== "succeeded") continue;
    const sum = (all: { amount: number }[]) => all.reduce((total, one) => total + one.amount, 0);
    const taken =
      sum(refunds.filter((one) => one.payment_intent === id && one.status !== "failed")) +
      sum(disputes.filter((one) => one.payment_intent === id && one.balance_transactions.length === 1));
    expected += BigInt(net - Math.round((Math.min(taken, amount) * net) / amount)) * 10_000_000n;
  }
  const account = world.ctx.account.id;
  const [books] = await plain.db.query<{ worth: bigint; billed: bigint }>(
    `SELECT balance - owed AS worth, (SELECT coalesce(sum(billed_cost), 0)::bigint FROM generation WHERE account_id = $1) AS billed
     FROM account WHERE id = $1`,
    [account],
  );
  expect(books!.worth + books!.billed).toBe(expected);
  // Nobody was charged twice: each payment of the hub has at most one that succeeded at the double.
  const paid = sessions.filter(({ payment_status }) => payment_status === "paid").map(({ hub }) => hub);
  const charged = [...double.invoices.values()]
    .filter(({ status }) => status === "paid")
    .map((one) => one.metadata.payment);
  expect(new Set(paid).size).toBe(paid.length);
  expect(new Set(charged).size).toBe(charged.length);
  const keys = refunds.flatMap(({ metadata }) => (metadata as { refund?: string } | undefined)?.refund ?? []);
  expect(new Set(keys).size).toBe(keys.length);
  const [open] = await plain.db.query<{ count: bigint }>(
    "SELECT count(*) FROM payment p WHERE account_id = $1 AND kind = 'automatic' AND state = 'pending'",
    [account],
  );
  expect(open!.count).toBe(0n);
}

/** Checks that each refund has one credit note. A refund that failed later used up a part of its invoice, as Stripe has it. */
async function checkCreditNotes(world: World) {
  const { refunds } = await truthOf(world);
  const notes = [...double.creditNotes.values()];
  const failed = new Set(refunds.filter(({ status }) => status === "failed").map((one) => one.payment_intent));
  for (const { id, amount, payment_intent } of refunds) {
    const own = notes.filter((note) => note.refunds[0]!.refund === id).map((note) => note.amount);
    if (failed.has(payment_intent)) expect(own.length).toBeLessThanOrEqual(1);
    else expect(own).toEqual([amount]);
  }
}

test("the ledger agrees with the provider after any schedule of payments, losses and kills", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(step, trouble), { minLength: 8, maxLength: 24, size: "max" }), async (steps) => {
      const ctx = { ...(await newPayer(plain)), hub };
      const world: World = { ctx, undelivered: [], delivered: double.events.length };
      // Money to spend, and a saved card.
      await runStep(world, { do: "topUp", amount: 1_000, end: "paid" }, null);
      await runStep(world, { do: "automatic", card: "4242" }, null);
      for (const [one, problem] of steps) await runStep(world, one, problem);
      await settleAll();
      await checkBooks(world);
      await checkCreditNotes(world);
    }),
    { seed, numRuns: soakCount(8, 1_000), endOnFailure: true },
  );
  expect((await runAudit(plain.db)).violations).toEqual([]);
});
