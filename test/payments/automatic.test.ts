import { expect, test } from "vitest";
import type { Ctx } from "../../server/context";
import { runAudit } from "../../server/domain/audit/audit";
import { suspendAccount } from "../../server/domain/accounts/account";
import type { Hub } from "../../server/domain/hub";
import { disableAutomaticTopUp, enableAutomaticTopUp } from "../../server/domain/top-ups/automatic-top-up";
import { getPaymentSettings } from "../../server/domain/top-ups/payment-settings";
import { forgetCustomer, selectCustomer } from "../../server/domain/payment-customers";
import { closeAccountByOperator } from "../../server/domain/closures";
import { setRef, startMethodSetup, startTopUp } from "../../server/domain/top-ups/top-up";
import { creditAccount } from "../../server/domain/ledger/credit";
import { openMailServer } from "../mail-server";
import { testOperator } from "../operator";
import { newId } from "../../server/lib/id";
import { entriesOf, moneyOf, newPayer, payingHub, processPayments, reconcileAll, sendEvent, spend } from "./paying-hub";
import type { Card } from "./stripe-double";

const HOUR_MS = 3_600_000;
const mail = await openMailServer();
const { hub, double } = await payingHub({ SMTP_URL: mail.url, RUNNING_PER_ACCOUNT: "200" });

const PLAN = { threshold: 500, target: 2_000, monthlyCap: 5_000 };

/** Makes an account with 10 EUR, a saved card and an automatic top-up from 5 to 20 EUR, at most 50 EUR a month. */
async function newAutomatic(card: Card, plan = PLAN): Promise<Ctx<Hub>> {
  const ctx = await newPayer(hub);
  await creditAccount(hub, ctx.account.id, { amount: 10_000_000_000n });
  await saveCard(ctx, card);
  await enableAutomaticTopUp(ctx, plan);
  return ctx;
}

async function saveCard(ctx: Ctx<Hub>, card: Card) {
  await startMethodSetup(ctx);
  await deliver(() => double.pay([...double.sessions.keys()].at(-1)!, { card }));
}

/** Does something at the provider, and delivers its events. */
async function deliver(change: () => unknown) {
  const before = double.events.length;
  change();
  for (const event of double.events.slice(before)) await sendEvent(hub, event);
  await processPayments(hub);
}

const chargesOf = async (ctx: Ctx<Hub>) => {
  const sql = "SELECT state, amount FROM payment WHERE account_id = $1 AND kind = 'automatic' ORDER BY created_at";
  const rows = await hub.db.query<{ state: string; amount: number }>(sql, [ctx.account.id]);
  return rows.map(({ state, amount }) => `${state} ${amount}`);
};
const automaticOf = async (ctx: Ctx<Hub>) => {
  const { state, reason } = (await getPaymentSettings(ctx)).automatic!;
  return { state, reason };
};

test("a balance below the threshold is charged once up to the target", async () => {
  const ctx = await newAutomatic("4242");
  await processPayments(hub);
  expect(await chargesOf(ctx)).toEqual([]);
  await Promise.all(Array.from({ length: 100 }, () => spend(hub, ctx.account.id, 0.06)));
  await Promise.all([processPayments(hub), processPayments(hub), processPayments(hub)]);
  await processPayments(hub);
  expect(await chargesOf(ctx)).toEqual(["paid 1600"]);
  expect(await moneyOf(hub, ctx.account.id)).toMatchObject({ balance: 20 });
  const paid = [...double.intents.values()].filter(({ status }) => status === "succeeded");
  expect(paid.map(({ amount }) => amount)).toEqual([1_600]);
});

test("a discount on a charge is not credited, and one that costs nothing pauses", async () => {
  for (const [share, charges, state] of [
    [0.25, ["paid 1200"], { state: "on", reason: null }],
    [1, ["failed 1600"], { state: "paused", reason: "nothing_paid" }],
  ] as const) {
    const ctx = await newAutomatic("4242");
    await spend(hub, ctx.account.id, 6);
    double.faults.next = (_, path) => {
      const invoice = double.invoices.get(path.split("/")[3] ?? "");
      if (path.endsWith("/pay") && invoice) invoice.discount = invoice.net * share;
      return null;
    };
    await processPayments(hub);
    double.faults.next = () => null;
    expect(await chargesOf(ctx)).toEqual(charges);
    expect(await automaticOf(ctx)).toEqual(state);
  }
});

test("a month's charges stay within the cap", async () => {
  const ctx = await newAutomatic("4242", { threshold: 500, target: 2_000, monthlyCap: 2_500 });
  for (let round = 0; round < 3; round += 1) {
    await spend(hub, ctx.account.id, (await moneyOf(hub, ctx.account.id)).balance - 1);
    await processPayments(hub);
  }
  expect(await chargesOf(ctx)).toEqual(["paid 1900", "paid 600"]);
});

test("accounts at their monthly cap leave the next charges to others", async () => {
  const capped: Ctx<Hub>[] = [];
  while (capped.length < 20)
    capped.push(await newAutomatic("4242", { threshold: 500, target: 1_000, monthlyCap: 500 }));
  for (const { account } of capped) await spend(hub, account.id, 6);
  for (let round = 0; round < 2; round += 1) await processPayments(hub);
  for (const { account } of capped) await spend(hub, account.id, 5);
  const ctx = await newAutomatic("4242");
  await spend(hub, ctx.account.id, 6);
  await processPayments(hub);
  for (const one of capped) expect(await chargesOf(one)).toEqual(["paid 500"]);
  expect(await chargesOf(ctx)).toEqual(["paid 1600"]);
});

test("a charge whose response was lost is looked up, and never sent again", async () => {
  for (const fault of ["unanswered", "unreached"] as const) {
    const ctx = await newAutomatic("4242");
    await spend(hub, ctx.account.id, 6);
    double.faults.next = (_, path) => (path.endsWith("/pay") ? fault : null);
    await processPayments(hub);
    double.faults.next = () => null;
    hub.clock.advance(11 * 60_000);
    await processPayments(hub);
    expect(await chargesOf(ctx)).toEqual([fault === "unanswered" ? "paid 1600" : "failed 1600"]);
    await disableAutomaticTopUp(ctx);
  }
});

const dispute = async (ctx: Ctx<Hub>) => {
  const [customer] = await selectCustomer(hub.db, ctx.account.id);
  const { id } = [...double.intents.values()].find((intent) => intent.customer === customer!.customer_ref)!;
  await deliver(() => double.dispute(id, 100));
};
/** Another person takes the account over, with a card and an automatic top-up of their own. */
const takeOver = async (ctx: Ctx<Hub>) => {
  await forgetCustomer(hub.db, ctx.account.id);
  hub.clock.advance(1);
  await saveCard(ctx, "0341");
  await enableAutomaticTopUp(ctx, { ...PLAN, threshold: 100 });
};
const suspend = async ({ account: { id } }: Ctx<Hub>) => suspendAccount(hub, testOperator, { id, suspended: true });
const close = async ({ account: { id } }: Ctx<Hub>) =>
  closeAccountByOperator(hub, testOperator, { id, days: 1, balance: "give_up" });

test.each([
  ["it is switched off", disableAutomaticTopUp],
  ["the account is suspended", suspend],
  ["the account closes", close],
  ["a payment is disputed", dispute],
  ["somebody takes the account over", takeOver],
])("a charge that waits is not sent once %s", async (_case, change) => {
  for (const isPrepared of [false, true]) {
    const ctx = await newAutomatic("4242");
    await spend(hub, ctx.account.id, 6);
    await processPayments(hub);
    await spend(hub, ctx.account.id, 18);
    double.faults.next = (method, path) => (method === "POST" && path === "/v1/invoices" ? "unreached" : null);
    await processPayments(hub);
    expect(await chargesOf(ctx)).toEqual(["paid 1600", "pending 1800"]);
    if (isPrepared) await prepareWaiting(ctx);
    await change(ctx);
    double.faults.next = () => null;
    const invoices = double.invoices.size;
    await processPayments(hub);
    expect(await chargesOf(ctx)).toEqual(["paid 1600", "expired 1800"]);
    expect(double.invoices.size).toBe(invoices);
    const open = [...double.invoices.values()].filter(({ status }) => status === "open" || status === "draft");
    expect(open).toEqual([]);
    expect(await automaticOf(ctx)).toMatchObject({ reason: change === dispute ? "disputed" : null });
  }
});

/** Prepares the waiting charge at the provider, as a process that is killed before it sends it. */
async function prepareWaiting(ctx: Ctx<Hub>) {
  double.faults.next = () => null;
  const sql = "SELECT id, amount FROM payment WHERE account_id = $1 AND state = 'pending'";
  const [{ id, amount }] = (await hub.db.query(sql, [ctx.account.id])) as [{ id: string; amount: number }];
  const [saved] = await selectCustomer(hub.db, ctx.account.id);
  const charge = { id, customer: saved!.customer_ref, method: saved!.method_ref!, amount };
  await setRef(hub.db, id, await hub.payments.stripe!.prepareCharge(charge));
  double.faults.next = (method, path) => (method === "POST" && path.endsWith("/pay") ? "unreached" : null);
}

test("an invoice whose charge expired unsent is credited if the customer pays it at the provider", async () => {
  const ctx = await newAutomatic("4242");
  await spend(hub, ctx.account.id, 6);
  double.faults.next = (_, path) => (path.endsWith("/finalize") ? "unanswered" : null);
  await processPayments(hub);
  await disableAutomaticTopUp(ctx);
  double.faults.next = () => null;
  await processPayments(hub);
  expect(await chargesOf(ctx)).toEqual(["expired 1600"]);
  const invoice = [...double.invoices.values()].at(-1)!;
  await hub.payments.stripe!.sendCharge({ id: newId(), kind: "automatic", ref: invoice.id });
  await reconcileAll(hub);
  expect(await chargesOf(ctx)).toEqual(["paid 1600"]);
  expect(await moneyOf(hub, ctx.account.id)).toMatchObject({ balance: 20 });
});

test("a charge that waits has the amount of the settings that were saved last", async () => {
  const ctx = await newAutomatic("4242");
  await spend(hub, ctx.account.id, 6);
  double.faults.next = (method, path) => (method === "POST" && path === "/v1/invoices" ? "unreached" : null);
  await processPayments(hub);
  hub.clock.advance(1);
  await enableAutomaticTopUp(ctx, { threshold: 500, target: 1_000, monthlyCap: 1_000 });
  double.faults.next = () => null;
  await processPayments(hub);
  await processPayments(hub);
  expect(await chargesOf(ctx)).toEqual(["expired 1600", "paid 600"]);
});

test("a charge is prepared again with the same key while no answer arrives", async () => {
  const ctx = await newAutomatic("4242");
  await spend(hub, ctx.account.id, 6);
  for (const path of ["/v1/invoices", "/v1/invoiceitems", "/finalize"]) {
    double.faults.next = (method, called) => (method === "POST" && called.endsWith(path) ? "unanswered" : null);
    await processPayments(hub);
  }
  double.faults.next = () => null;
  await processPayments(hub);
  expect(await chargesOf(ctx)).toEqual(["paid 1600"]);
  expect(await moneyOf(hub, ctx.account.id)).toMatchObject({ balance: 20 });
});

test.each([
  ["3155", "authentication_required", "confirm the payment yourself"],
  ["0069", "expired_card", "was declined"],
] as const)("card %s pauses at once and mails a link", async (card, reason, sentence) => {
  const ctx = await newAutomatic(card);
  const before = mail.received.length;
  await spend(hub, ctx.account.id, 6);
  await processPayments(hub);
  expect(await automaticOf(ctx)).toEqual({ state: "paused", reason });
  await expect.poll(() => mail.received.length).toBe(before + 1);
  expect(mail.received.at(-1)).toMatchObject({
    to: [ctx.account.email],
    text: expect.stringContaining(sentence) as string,
  });
  hub.clock.advance(48 * HOUR_MS);
  await processPayments(hub);
  expect(await chargesOf(ctx)).toEqual(["failed 1600"]);
  expect(mail.received.length).toBe(before + 1);
});

test("soft declines wait 1, 6 and 24 hours and then pause", async () => {
  const ctx = await newAutomatic("0341");
  await spend(hub, ctx.account.id, 6);
  const counts = [];
  for (const hours of [0, 0.9, 0.2, 5.8, 0.3, 23.8, 0.3, 48]) {
    hub.clock.advance(hours * HOUR_MS);
    await processPayments(hub);
    counts.push((await chargesOf(ctx)).length);
  }
  expect(counts).toEqual([1, 1, 2, 2, 3, 3, 4, 4]);
  expect(await automaticOf(ctx)).toEqual({ state: "paused", reason: "insufficient_funds" });
  await enableAutomaticTopUp(ctx, PLAN);
  await saveCard(ctx, "4242");
  expect((await chargesOf(ctx)).at(-1)).toBe("paid 1600");
});

test("a dispute pauses it, also beside a charge", async () => {
  const ctx = await newAutomatic("4242");
  await spend(hub, ctx.account.id, 6);
  await processPayments(hub);
  const [intent] = [...double.intents.keys()].slice(-1);
  await spend(hub, ctx.account.id, 18);
  const before = double.events.length;
  double.dispute(intent!, 1_600);
  await Promise.all([
    ...double.events.slice(before).map((event) => sendEvent(hub, event)),
    processPayments(hub),
    processPayments(hub),
  ]);
  await processPayments(hub);
  expect(await automaticOf(ctx)).toEqual({ state: "paused", reason: "disputed" });
  expect((await chargesOf(ctx)).length).toBeLessThanOrEqual(2);
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

test("a suspended account and one with an unverified owner have none", async () => {
  const suspended = await newAutomatic("4242");
  await spend(hub, suspended.account.id, 6);
  await suspendAccount(hub, testOperator, { id: suspended.account.id, suspended: true });
  await processPayments(hub);
  expect(await chargesOf(suspended)).toEqual([]);
  const unproven = await newPayer(hub, false);
  await saveCard(unproven, "4242");
  await expect(enableAutomaticTopUp(unproven, PLAN)).rejects.toMatchObject({ status: 403 });
});

test.each([
  [{ threshold: 0 }, "threshold"],
  [{ target: 999 }, "target"],
  [{ monthlyCap: 1_499 }, "monthly_cap"],
  [{ monthlyCap: 10_000_001 }, "monthly_cap"],
])("rejects %j", async (change, place) => {
  const ctx = await newPayer(hub);
  await expect(enableAutomaticTopUp(ctx, { ...PLAN, ...change })).rejects.toThrow(place);
});

test("a refund or dispute of an old top-up leaves the card that was saved since", async () => {
  const ctx = await newPayer(hub);
  await startTopUp(ctx, { amount: 1_000, savesMethod: true });
  const session = [...double.sessions.values()].at(-1)!;
  const savedCard = async () => (await selectCustomer(hub.db, ctx.account.id))[0]!.method_label;
  await deliver(() => double.pay(session.id, { card: "4242" }));
  expect(await savedCard()).toBe("Visa •••• 4242");
  await saveCard(ctx, "0341");
  await deliver(() => double.refund(session.payment_intent!, 300));
  await deliver(() => double.dispute(session.payment_intent!, 700));
  expect(await entriesOf(hub, ctx.account.id)).toEqual(["credit 10", "refund -3", "dispute -7"]);
  expect(await savedCard()).toBe("Visa •••• 0341");
});

test("pauses when the provider has no such customer any more", async () => {
  const ctx = await newAutomatic("4242");
  await spend(hub, ctx.account.id, 6);
  const [customer] = await selectCustomer(hub.db, ctx.account.id);
  double.customers.get(customer!.customer_ref)!.deleted = true;
  await processPayments(hub);
  expect(await chargesOf(ctx)).toEqual(["failed 1600"]);
  expect(await automaticOf(ctx)).toEqual({ state: "paused", reason: "no_method" });
});

test("needs a saved method", async () => {
  await expect(enableAutomaticTopUp(await newPayer(hub), PLAN)).rejects.toMatchObject({ code: "invalid_input" });
});

test("charges that were sent leave the next ones to those that were not", async () => {
  await hub.db.query(
    `WITH made AS (
       INSERT INTO account (email, created_at)
       SELECT 'sent-' || n || '@example.org', now() FROM generate_series(1, 1000) n RETURNING id)
     INSERT INTO payment (id, account_id, provider, kind, state, amount, provider_ref, created_at, sent_at)
     SELECT gen_random_uuid(), id, 'stripe', 'automatic', 'pending', 500, 'in_sent_' || id, now(), now() FROM made`,
  );
  const ctx = await newAutomatic("4242");
  await spend(hub, ctx.account.id, 6);
  await processPayments(hub);
  expect(await chargesOf(ctx)).toEqual(["paid 1600"]);
});

test("the audit finds no violation after these charges", async () => {
  expect((await runAudit(hub.db)).violations).toEqual([]);
  expect((await entriesOf(hub, 1)).length).toBeGreaterThan(0);
});
