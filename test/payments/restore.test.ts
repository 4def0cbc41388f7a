import { expect, test } from "vitest";
import type { Ctx } from "../../server/context";
import { runAudit } from "../../server/domain/audit/audit";
import type { Hub } from "../../server/domain/hub";
import { forgetCustomer, selectCustomer } from "../../server/domain/payment-customers";
import { recordPayment } from "../../server/domain/payment-records/record-payment";
import { reconcileEverything } from "../../server/domain/reconciliation/check-payments";
import { applyEvents } from "../../server/domain/reconciliation/payment-events";
import { startMethodSetup, startTopUp } from "../../server/domain/top-ups/top-up";
import { newId } from "../../server/lib/id";
import { testOperator } from "../operator";
import { entriesOf, newPayer, payingHub } from "./paying-hub";

const DAY_MS = 86_400_000;
const { hub, double } = await payingHub({ STRIPE_TAX: "on" });

const lastSession = () => [...double.sessions.values()].at(-1)!;
const rowOf = async (id: string) =>
  (await hub.db.query("SELECT account_id, kind, state, amount, tax, error FROM payment WHERE id = $1", [id]))[0];

/** Starts a top-up whose row is lost, as by a restore of a backup that was made before it, and pays it. */
async function payLost(ctx: Ctx<Hub>, options: { discount?: number } = {}) {
  await startTopUp(ctx, { amount: 1_000, savesMethod: true });
  const session = lastSession();
  await hub.db.query("DELETE FROM payment WHERE id = $1", [session.hub]);
  session.discount = options.discount ?? 0;
  double.pay(session.id);
  return { id: session.hub, intent: session.payment_intent! };
}

test("a top-up since the backup is credited, with its tax, discount, refunds and saved method", async () => {
  const ctx = await newPayer(hub);
  const { id, intent } = await payLost(ctx, { discount: 200 });
  double.refund(intent, 495);
  expect(await reconcileEverything(hub)).toMatchObject({ failed: [] });
  expect(await reconcileEverything(hub)).toMatchObject({ found: 0, failed: [] });
  const account = ctx.account.id;
  expect(await rowOf(id)).toEqual({
    account_id: account,
    kind: "top_up",
    state: "paid",
    amount: 800,
    tax: 190,
    error: null,
  });
  expect(await entriesOf(hub, account)).toEqual(["credit 8", "refund -4"]);
  expect((await selectCustomer(hub.db, account))[0]!.method_label).toBe("Visa •••• 4242");
});

test("an automatic charge since the backup is credited, and one that was not sent stays unsent", async () => {
  const ctx = await newPayer(hub);
  await startMethodSetup(ctx);
  double.pay(lastSession().id);
  await reconcileEverything(hub);
  const [saved] = await selectCustomer(hub.db, ctx.account.id);
  const prepare = async () => {
    const charge = { id: newId(), customer: saved!.customer_ref, method: saved!.method_ref!, amount: 1_600 };
    return { id: charge.id, ref: await hub.payments.stripe!.prepareCharge(charge), kind: "automatic" as const };
  };
  const [sent, unsent] = [await prepare(), await prepare()];
  await hub.payments.stripe!.sendCharge(sent);
  await hub.payments.stripe!.cancelCharge(unsent);
  expect(await reconcileEverything(hub)).toMatchObject({ failed: [] });
  expect(await rowOf(sent.id)).toMatchObject({ kind: "automatic", state: "paid", amount: 1_600, tax: 304 });
  expect(await rowOf(unsent.id)).toBeUndefined();
  expect(await entriesOf(hub, ctx.account.id)).toEqual(["credit 16"]);
});

test("a payment of a customer whom the hub does not know fails until it is recorded or refunded", async () => {
  const ctx = await newPayer(hub);
  const settle = {
    recorded: ({ intent }: { intent: string }) =>
      recordPayment(hub, testOperator, {
        accountId: ctx.account.id,
        amount: 1_000,
        tax: 190,
        reference: intent,
        note: null,
      }),
    refunded: async ({ intent }: { intent: string }) => double.refund(intent, 1_190),
  };
  for (const handle of [settle.recorded, settle.refunded]) {
    const lost = await payLost(ctx);
    const { customer } = lastSession();
    await forgetCustomer(hub.db, ctx.account.id);
    const event = double.events.at(-1)!.id;
    const error =
      `Payment ${lost.id} of 10.00 EUR and 1.90 EUR of tax was paid by the customer ${customer}, whom the hub does not know. ` +
      `Record it with the reference ${lost.intent}, or refund it at the provider.`;
    for (let times = 0; times < 2; times += 1)
      expect((await reconcileEverything(hub)).failed).toContainEqual({ id: event, error });
    const [stored] = await hub.db.query("SELECT applied_at, error FROM payment_event WHERE event_id = $1", [event]);
    expect(stored).toEqual({ applied_at: null, error });
    await handle(lost);
    expect(await reconcileEverything(hub)).toMatchObject({ failed: [] });
    expect(await rowOf(lost.id)).toBeUndefined();
  }
  expect(await entriesOf(hub, ctx.account.id)).toEqual(["credit 10"]);
});

test("what other products and hubs do at the provider is no failure, nor a page that nobody pays", async () => {
  const ctx = await newPayer(hub);
  await startMethodSetup(ctx);
  double.pay(lastSession().id);
  // The last two are other hubs' payments: with the name of the hub, and by a version that left none.
  for (const metadata of [
    {},
    { payment: "order-7" },
    { payment: newId(), hub: "other.example" },
    { payment: newId() },
  ]) {
    await payLost(ctx);
    double.intents.get(lastSession().payment_intent!)!.metadata = metadata;
  }
  await startTopUp(ctx, { amount: 1_000, savesMethod: false });
  await hub.db.query("DELETE FROM payment WHERE id = $1", [lastSession().hub]);
  double.expire(lastSession().id);
  await forgetCustomer(hub.db, ctx.account.id);
  expect(await reconcileEverything(hub)).toMatchObject({ failed: [] });
  expect(await entriesOf(hub, ctx.account.id)).toEqual([]);
});

test("reaches back as many days as the backup is old", async () => {
  const ctx = await newPayer(hub);
  const { id } = await payLost(ctx);
  hub.clock.advance(6 * DAY_MS);
  await reconcileEverything(hub);
  expect(await rowOf(id)).toBeUndefined();
  expect(await reconcileEverything(hub, { days: 7 })).toMatchObject({ failed: [] });
  expect(await rowOf(id)).toMatchObject({ state: "paid", amount: 1_000 });
});

test("nothing is left to apply, and the audit finds no violation", async () => {
  expect(await applyEvents(hub)).toBe(0);
  expect((await runAudit(hub.db)).violations).toEqual([]);
});
