import { expect, test } from "vitest";
import { createApp } from "../../server/api/app";
import { runAudit } from "../../server/domain/audit/audit";
import type { Hub } from "../../server/domain/hub";
import { creditAccount } from "../../server/domain/ledger/credit";
import { checkOwnPayments, reconcileEverything } from "../../server/domain/reconciliation/check-payments";
import { toServiceUnavailable } from "../../server/domain/health/to-service-unavailable";
import { applyEvents } from "../../server/domain/reconciliation/payment-events";
import { startMethodSetup, startTopUp } from "../../server/domain/top-ups/top-up";
import { getPaymentRecord, listAllPayments, paymentFilters } from "../../server/domain/payment-records/list-payments";
import { reconcilePayment } from "../../server/domain/reconciliation/reconcile-payment";
import { recordPayment } from "../../server/domain/payment-records/record-payment";
import { refundPayment } from "../../server/domain/reconciliation/refund";
import { findFunds } from "../../server/domain/ledger/find-funds";
import { selectCustomer } from "../../server/domain/payment-customers/customer";
import { securePerson } from "../../server/domain/recovery/secure-person";
import { setTaxProfile } from "../../server/domain/tax";
import { createEndpoint } from "../../server/domain/endpoints/create";
import { newId } from "../../server/lib/id";
import { deriveHub } from "../derive-hub";
import { explainPlan } from "../explain-plan";
import { testHub } from "../hub";
import { testOperator } from "../operator";
import { ownerSession } from "../session";
import { entriesOf, moneyOf, newPayer, payingHub, processPayments, reconcileAll, sendEvent, spend } from "./paying-hub";

const { hub, double } = await payingHub();

const lastSession = () => [...double.sessions.values()].at(-1)!;
const eventsSince = (index: number) => double.events.slice(index);

/** Pays a top-up and delivers its events. */
async function topUp(ctx: Awaited<ReturnType<typeof newPayer>>, amount: number, on: Hub = hub) {
  const before = double.events.length;
  await startTopUp({ ...ctx, hub: on }, { amount, savesMethod: false });
  const session = lastSession();
  double.pay(session.id);
  for (const event of eventsSince(before)) await sendEvent(on, event);
  await processPayments(on);
  return { session, payment: session.hub, intent: session.payment_intent! };
}

/** Holds the next request that begins like this at the provider. `held` resolves once it is there. */
function holdNext(start: string) {
  let release!: () => void;
  const released = new Promise<null>((resolve) => (release = () => resolve(null)));
  const held = new Promise<void>((resolve) => {
    double.faults.next = (method, path) => {
      if (!`${method} ${path}`.startsWith(start)) return null;
      double.faults.next = () => null;
      resolve();
      return released;
    };
  });
  return { held, release };
}

const stateOfPayment = async (id: string) =>
  (await hub.db.query<{ state: string }>("SELECT state FROM payment WHERE id = $1", [id]))[0]!.state;

test("a top-up is credited once, however many events report it and in whatever order", async () => {
  const ctx = await newPayer(hub);
  const before = double.events.length;
  await startTopUp(ctx, { amount: 2_500, savesMethod: false });
  double.pay(lastSession().id);
  const events = eventsSince(before);
  expect(events.map(({ type }) => type)).toEqual(["payment_intent.succeeded", "checkout.session.completed"]);
  const statuses = await Promise.all([...events, ...events.toReversed()].map((event) => sendEvent(hub, event)));
  expect(new Set(statuses)).toEqual(new Set([200]));
  await Promise.all([processPayments(hub), processPayments(hub)]);
  expect(await entriesOf(hub, ctx.account.id)).toEqual(["credit 25"]);
});

test("money that is on its way is credited when it arrives, and not when it does not", async () => {
  const ctx = await newPayer(hub);
  for (const arrives of [true, false]) {
    await startTopUp(ctx, { amount: 1_000, savesMethod: false });
    const session = lastSession();
    const before = double.events.length;
    double.pay(session.id, { later: true });
    for (const event of eventsSince(before)) await sendEvent(hub, event);
    await processPayments(hub);
    expect(await stateOfPayment(session.hub)).toBe("pending");
    const settled = double.events.length;
    double.settle(session.id, arrives);
    for (const event of eventsSince(settled)) await sendEvent(hub, event);
    await processPayments(hub);
    expect(await stateOfPayment(session.hub)).toBe(arrives ? "paid" : "failed");
  }
  expect(await entriesOf(hub, ctx.account.id)).toEqual(["credit 10"]);
});

test("a forged, old or foreign event leaves nothing behind", async () => {
  const event = { id: "evt_forged", object: "event", type: "checkout.session.completed", data: { object: {} } };
  expect(await sendEvent(hub, event, "whsec_other")).toBe(400);
  expect(await sendEvent(hub, event, "")).toBe(400);
  const foreign = { ...event, id: "evt_foreign", data: { object: { object: "checkout.session", id: "cs_foreign" } } };
  expect(await sendEvent(hub, foreign)).toBe(200);
  await processPayments(hub);
  const rows = await hub.db.query(
    "SELECT event_id, applied_at IS NOT NULL AS applied FROM payment_event WHERE event_id LIKE 'evt_fo%'",
  );
  expect(rows).toEqual([{ event_id: "evt_foreign", applied: true }]);
});

test("a signed event of another shape is a 400, and one of another kind is ignored", async () => {
  const event = { id: "evt_odd", type: "checkout.session.completed", data: { object: { object: "checkout.session" } } };
  const odd = [
    null,
    [],
    7,
    "text",
    {},
    { ...event, type: null },
    { ...event, id: null },
    { ...event, id: "" },
    { ...event, id: "a\0b" },
    { ...event, id: "x".repeat(3_000) },
    { ...event, data: undefined },
    { ...event, data: null },
    { ...event, data: { object: null } },
    { ...event, data: { object: { id: 7 } } },
    { ...event, data: { object: { customer: {} } } },
    { ...event, data: { object: { payment_intent: "\ud800" } } },
    { ...event, data: { object: {}, previous_attributes: { customer: 7 } } },
  ];
  for (const one of odd) expect([JSON.stringify(one), await sendEvent(hub, one)]).toEqual([JSON.stringify(one), 400]);
  expect(await sendEvent(hub, { type: "customer.created" })).toBe(200);
  expect(await sendEvent(hub, event)).toBe(200);
});

test("who takes over an account pays as another customer of the provider", async () => {
  const squatter = await newPayer(hub, false);
  const customerOf = async () =>
    (await selectCustomer(hub.db, squatter.account.id)).map(({ customer_ref }) => customer_ref);
  await setTaxProfile(squatter, { country: "FR", vat_id: "FRAB123456789" });
  await startTopUp(squatter, { amount: 500, savesMethod: true });
  const [former] = await customerOf();
  expect(former).toMatch(/^cus_/);
  const { id } = squatter.actor.person;
  const revoked = await hub.db.transaction((tx) => securePerson(tx, { id, verified: false }, "hash", hub.now()));
  expect(revoked.accounts).toEqual([squatter.account.id]);
  expect(await customerOf()).toEqual([]);
  await startTopUp(await ownerSession(hub, squatter.account.id), { amount: 500, savesMethod: true });
  expect(await customerOf()).toEqual([expect.stringMatching(/^cus_/)]);
  expect(await customerOf()).not.toEqual([former]);
  const taxed = [...double.customers.values()].filter(({ tax_ids }) => tax_ids.length > 0);
  expect(taxed.map(({ id }) => id)).toEqual([former]);
});

test("pays as another customer once the provider has none, as after a change from its test mode", async () => {
  const ctx = await newPayer(hub);
  const customerOf = async () => (await selectCustomer(hub.db, ctx.account.id))[0]!.customer_ref;
  await topUp(ctx, 500);
  const first = await customerOf();
  double.customers.delete(first);
  const topUps = [500, 600].map((amount) => startTopUp(ctx, { amount, savesMethod: false }));
  await Promise.all(topUps);
  const second = await customerOf();
  expect(second).not.toBe(first);
  expect([...double.sessions.values()].slice(-2).map(({ customer }) => customer)).toEqual([second, second]);
  double.customers.get(second)!.deleted = true;
  await startMethodSetup(ctx);
  expect([first, second]).not.toContain(await customerOf());
  expect(lastSession().customer).toBe(await customerOf());
});

test("a customer that the provider no longer has is replaced once for concurrent payments", async () => {
  const ctx = await newPayer(hub);
  await topUp(ctx, 500);
  const [former] = await selectCustomer(hub.db, ctx.account.id);
  double.customers.delete(former!.customer_ref);
  const start = () => startTopUp(ctx, { amount: 500, savesMethod: false });
  const creation = holdNext("POST /v1/customers");
  const first = start();
  await creation.held;
  const use = holdNext("GET /v1/customers/");
  const second = start();
  await use.held;
  creation.release();
  await first;
  use.release();
  await second;
  const customers = [...double.sessions.values()].slice(-2).map(({ customer }) => customer);
  expect(new Set(customers)).toEqual(new Set([lastSession().customer]));
  expect(lastSession().customer).not.toBe(former!.customer_ref);
});

test("a hub without both settings has no route and takes no payments", async () => {
  const closed = await testHub();
  expect(await sendEvent(closed, { id: "evt_1" })).toBe(404);
  expect((await createApp(closed).request("/api/callbacks/payments/stripe")).status).toBe(404);
  await expect(startTopUp(await newPayer(closed), { amount: 500, savesMethod: false })).rejects.toMatchObject({
    code: "resource_not_found",
  });
});

test("an account has ten pages to pay on open at most, also when it opens many at once", async () => {
  const ctx = await newPayer(hub);
  const open = () => startTopUp(ctx, { amount: 1_000, savesMethod: false });
  const pages = await Promise.allSettled(Array.from({ length: 20 }, open));
  expect(pages.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
  for (const page of pages)
    if (page.status === "rejected") expect(page.reason).toMatchObject({ code: "invalid_input" });
});

test("a payment of another amount is not credited", async () => {
  const ctx = await newPayer(hub);
  await startTopUp(ctx, { amount: 1_000, savesMethod: false });
  const session = lastSession();
  session.amount_subtotal = 1;
  double.pay(session.id);
  hub.clock.advance(10 * 60_000);
  await processPayments(hub);
  const [row] = await hub.db.query("SELECT state, error FROM payment WHERE id = $1", [session.hub]);
  expect(row).toEqual({ state: "pending", error: "expected 10.00 EUR, but the provider has 0.01 EUR" });
  await hub.db.query("UPDATE payment SET state = 'expired', settled_at = now(), next_check_at = NULL WHERE id = $1", [
    session.hub,
  ]);
});

test("a discount is not credited: what was paid is, and can be refunded", async () => {
  const ctx = await newPayer(hub);
  const pay = async (discount: number) => {
    await startTopUp(ctx, { amount: 1_000, savesMethod: false });
    const session = lastSession();
    session.discount = discount;
    double.pay(session.id);
    await reconcileAll(hub);
    const [row] = await hub.db.query("SELECT state, amount, failure_code FROM payment WHERE id = $1", [session.hub]);
    return { id: session.hub, row };
  };
  const { id, row } = await pay(200);
  expect(row).toEqual({ state: "paid", amount: 800, failure_code: null });
  expect(await entriesOf(hub, ctx.account.id)).toEqual(["credit 8"]);
  expect((await pay(1_000)).row).toEqual({ state: "failed", amount: 1_000, failure_code: "nothing_paid" });
  await expect(refundPayment(hub, testOperator, { paymentId: id, amount: 801, reason: "test" })).rejects.toThrow(
    "8 EUR",
  );
  await refundPayment(hub, testOperator, { paymentId: id, reason: "test" });
  expect(await entriesOf(hub, ctx.account.id)).toEqual(["credit 8", "refund -8"]);
});

test("an error with one payment is reported, and the next one is still looked up", async () => {
  const ctx = await newPayer(hub);
  const open = async () => {
    await startTopUp(ctx, { amount: 1_000, savesMethod: false });
    const session = lastSession();
    double.pay(session.id);
    return session;
  };
  const [chargeless, foreign, whole] = [await open(), await open(), await open()];
  chargeless.payment_intent = null;
  foreign.currency = "usd";
  const { failed } = await reconcileEverything(hub);
  expect(failed).toContainEqual({ id: chargeless.hub, error: expect.stringContaining("names no charge") as string });
  expect(failed).toContainEqual({
    id: foreign.hub,
    error: expect.stringContaining("expected 10.00 EUR, but the provider has 10.00 USD") as string,
  });
  expect(await stateOfPayment(whole.hub)).toBe("paid");
  await checkOwnPayments(ctx);
  await expect(reconcilePayment(hub, foreign.hub)).rejects.toMatchObject({ code: "invalid_state" });
  expect(await entriesOf(hub, ctx.account.id)).toEqual(["credit 10"]);
  await hub.db.query(
    "UPDATE payment SET state = 'expired', settled_at = now(), next_check_at = NULL WHERE id = ANY ($1)",
    [[chargeless.hub, foreign.hub]],
  );
});

test("while the provider is unavailable requests are 503 and leave nothing open, and what waits is applied on command", async () => {
  const ctx = await newPayer(hub);
  const { payment, intent } = await topUp(ctx, 1_000);
  double.faults.next = () => "unreached";
  for (let times = 0; times < 12; times += 1)
    await expect(
      startTopUp(ctx, { amount: 1_000, savesMethod: false }).catch(toServiceUnavailable),
    ).resolves.toMatchObject({ status: 503 });
  expect(await checkOwnPayments(ctx).catch(toServiceUnavailable)).toMatchObject({ status: 503 });
  expect(await reconcilePayment(hub, payment).catch(toServiceUnavailable)).toMatchObject({ status: 503 });
  const before = double.events.length;
  double.refund(intent, 400);
  for (const event of eventsSince(before)) await sendEvent(hub, event);
  const away = await reconcileEverything(hub);
  expect(away).toMatchObject({ applied: 0 });
  expect(away.failed.map(({ id }) => id)).toEqual(expect.arrayContaining(["events", double.events.at(-1)!.id]));
  double.faults.next = () => null;
  // Its next try is in a minute.
  expect(await applyEvents(hub)).toBe(0);
  await reconcileEverything(hub);
  expect(await entriesOf(hub, ctx.account.id)).toEqual(["credit 10", "refund -4"]);
});

test("an event waits while the provider is not configured", async () => {
  const ctx = await newPayer(hub);
  const { intent } = await topUp(ctx, 1_000);
  const before = double.events.length;
  double.refund(intent, 400);
  for (const event of eventsSince(before)) await sendEvent(hub, event);
  const { applied, failed } = await reconcileEverything(deriveHub(hub, { payments: {} }));
  expect({ applied, ids: failed.map(({ id }) => id) }).toEqual({
    applied: 0,
    ids: expect.arrayContaining(eventsSince(before).map(({ id }) => id)) as string[],
  });
  expect(failed[0]!.error).toBe("The payment provider is not configured.");
  await reconcileEverything(hub);
  expect(await entriesOf(hub, ctx.account.id)).toEqual(["credit 10", "refund -4"]);
});

test("tax is stored beside the credited amount, and a refund takes back its share", async () => {
  const env = { ...hub.env, STRIPE_TAX: "on" as const };
  const { openPaymentProviders } = await import("../../server/payments/registry");
  const taxed = deriveHub(hub, { env, payments: await openPaymentProviders(env) });
  const ctx = await newPayer(hub);
  const { payment, intent } = await topUp(ctx, 1_000, taxed);
  const [row] = await hub.db.query("SELECT amount, tax, state FROM payment WHERE id = $1", [payment]);
  expect(row).toEqual({ amount: 1_000, tax: 190, state: "paid" });
  double.refund(intent, 595);
  await reconcileAll(hub);
  expect(await entriesOf(hub, ctx.account.id)).toEqual(["credit 10", "refund -5"]);
});

test("what was spent before a chargeback is owed, blocks work, and is repaid first", async () => {
  const ctx = await newPayer(hub);
  const account = ctx.account.id;
  const { intent } = await topUp(ctx, 1_000);
  await spend(hub, account, 7);
  const dispute = double.dispute(intent, 1_000);
  await reconcileAll(hub);
  expect(await moneyOf(hub, account)).toEqual({ balance: 0, reserved: 0, owed: 7 });
  expect(await spend(hub, account, 0.01)).toBe(false);
  expect((await findFunds(ctx)).explanation).toContain("owes 7 EUR");
  await creditAccount(hub, account, { amount: 5_000_000_000n });
  expect(await moneyOf(hub, account)).toEqual({ balance: 0, reserved: 0, owed: 2 });
  double.closeDispute(dispute, true);
  await reconcileAll(hub);
  expect(await moneyOf(hub, account)).toEqual({ balance: 8, reserved: 0, owed: 0 });
  expect(await entriesOf(hub, account)).toEqual([
    "credit 10",
    "charge -7",
    "dispute -3",
    "credit 5",
    "repayment -5",
    "dispute 10",
    "repayment -2",
  ]);
});

test("an inquiry of the bank takes nothing", async () => {
  const ctx = await newPayer(hub);
  const { intent } = await topUp(ctx, 1_000);
  double.dispute(intent, 1_000, true);
  await reconcileAll(hub);
  expect(await moneyOf(hub, ctx.account.id)).toMatchObject({ balance: 10, owed: 0 });
});

test("an operator's refund is booked before it is sent, once, and returned when it fails", async () => {
  const ctx = await newPayer(hub);
  const { payment } = await topUp(ctx, 1_000);
  const request = { paymentId: payment, amount: 400, reason: "paid twice" };
  double.faults.next = (method, path) => (method === "POST" && path === "/v1/refunds" ? "unanswered" : null);
  await refundPayment(hub, testOperator, request);
  double.faults.next = () => null;
  expect(await moneyOf(hub, ctx.account.id)).toMatchObject({ balance: 6 });
  hub.clock.advance(30 * 3_600_000);
  await processPayments(hub);
  const made = [...double.refunds.values()].filter(
    ({ payment_intent }) => payment_intent === lastSession().payment_intent,
  );
  expect(made.map(({ amount }) => amount)).toEqual([400]);
  const [row] = await hub.db.query("SELECT state, provider_ref FROM payment_refund WHERE payment_id = $1", [payment]);
  expect(row).toEqual({ state: "refunded", provider_ref: made[0]!.id });
  double.failRefund(made[0]!.id);
  await reconcileAll(hub);
  expect(await entriesOf(hub, ctx.account.id)).toEqual(["credit 10", "refund -4", "refund 4"]);
});

test("a charge with more refunds than a page of the provider's list is added up whole", async () => {
  const ctx = await newPayer(hub);
  const { payment, intent } = await topUp(ctx, 10_000);
  const before = double.events.length;
  for (let refund = 0; refund < 120; refund += 1) double.refund(intent, 10);
  // One lookup is enough, whatever the events said.
  double.events.splice(before);
  await reconcilePayment(hub, payment);
  expect(await moneyOf(hub, ctx.account.id)).toMatchObject({ balance: 88, owed: 0 });
});

test("operators find every payment by its account, id or state, a page at a time, and refund none twice", async () => {
  const ctx = await newPayer(hub);
  const { email } = ctx.account;
  const made: string[] = [];
  for (let payment = 0; payment < 3; payment += 1) made.unshift((await topUp(ctx, 1_000)).payment);
  const [newest, middle] = made;
  const idsOf = async (filters: Parameters<typeof listAllPayments>[1], limit = 10) => {
    const { data, next } = await listAllPayments(hub, filters, limit);
    return { ids: data.map(({ id }) => id), next };
  };
  expect(await idsOf({ q: ` ${email.toUpperCase()} ` })).toEqual({ ids: made, next: null });
  expect(await idsOf({ q: String(ctx.account.id) }, 2)).toEqual({ ids: made.slice(0, 2), next: middle });
  expect(await idsOf({ q: email, before: middle })).toEqual({ ids: made.slice(2), next: null });
  expect(await idsOf({ q: newest })).toEqual({ ids: [newest], next: null });
  expect(await idsOf({ q: "nobody@example.org" })).toEqual({ ids: [], next: null });
  expect((await idsOf({}, 3)).ids).toEqual(made);

  const order = { paymentId: newest!, amount: 400, left: 1_000, reason: "paid twice" };
  const twice = await Promise.allSettled([1, 2].map(() => refundPayment(hub, testOperator, order)));
  expect(twice.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  await expect(refundPayment(hub, testOperator, order)).rejects.toMatchObject({ code: "invalid_state" });
  expect((await idsOf({ filter: "refunded" }, 1)).ids).toEqual([newest]);
  expect((await idsOf({ filter: "refunded", q: email })).ids).toEqual([newest]);
  expect((await idsOf({ filter: "disputed", q: email })).ids).toEqual([]);
  expect(await getPaymentRecord(hub, newest!)).toMatchObject({
    email,
    state: "partially_refunded",
    refunded: 4,
    refundable: 6,
    reversed: 4,
    refunds: [{ amount: 4, state: "refunded", reason: "paid twice" }],
  });
  await expect(getPaymentRecord(hub, newId())).rejects.toMatchObject({ code: "resource_not_found" });
});

test("the operator's lists read their page by an index, however many payments there are", async () => {
  const many = await testHub();
  const { account } = await newPayer(many);
  await many.db.query(
    `INSERT INTO payment (id, account_id, provider, kind, state, amount, tax, currency, created_at, settled_at)
     SELECT gen_random_uuid(), $1, 'stripe', 'top_up', 'paid', 500, 0, 'EUR', now(), now() FROM generate_series(1, 20000)`,
    [account.id],
  );
  await many.db.query("ANALYZE payment");
  for (const filter of [undefined, ...paymentFilters]) {
    const plan = await explainPlan(many, (hub) => listAllPayments(hub, { filter }, 50));
    expect({ filter, plan }).toEqual({ filter, plan: expect.stringMatching(/Index .*Scan .*on payment p/) as string });
    expect(plan).not.toContain("Seq Scan on payment");
  }
});

test("a refund that the provider refuses returns to the balance", async () => {
  const ctx = await newPayer(hub);
  const { payment, intent } = await topUp(ctx, 1_000);
  double.refund(intent, 800);
  await refundPayment(hub, testOperator, { paymentId: payment, amount: 500, reason: "too much" });
  expect(await moneyOf(hub, ctx.account.id)).toMatchObject({ balance: 2, owed: 0 });
  const [row] = await hub.db.query("SELECT state, error FROM payment_refund WHERE payment_id = $1", [payment]);
  expect(row).toMatchObject({ state: "failed", error: expect.stringContaining("greater") as string });
});

test("a refund of spent money is rejected, and no more than was paid is refunded", async () => {
  const ctx = await newPayer(hub);
  const { payment } = await topUp(ctx, 1_000);
  await spend(hub, ctx.account.id, 6);
  const refund = (amount?: number) => refundPayment(hub, testOperator, { paymentId: payment, amount, reason: "test" });
  await expect(refund(500)).rejects.toMatchObject({ code: "insufficient_credits" });
  await expect(refund(1_001)).rejects.toMatchObject({ code: "invalid_input" });
  const outcomes = await Promise.allSettled([refund(300), refund(300), spend(hub, ctx.account.id, 3)]);
  expect(outcomes.filter(({ status }) => status === "fulfilled").length).toBeGreaterThan(0);
  expect((await moneyOf(hub, ctx.account.id)).balance).toBe(1);
});

test("a manual payment is recorded once and can be refunded", async () => {
  const ctx = await newPayer(hub);
  const request = { accountId: ctx.account.id, amount: 10_000, tax: 1_900, reference: "invoice 7", note: null };
  const made = await Promise.all([1, 2, 3].map(() => recordPayment(hub, testOperator, request)));
  expect(made.filter(({ isNew }) => isNew)).toHaveLength(1);
  const { id } = made[0]!.payment;
  await refundPayment(hub, testOperator, { paymentId: id, amount: 5_950, reason: "half" });
  expect(await entriesOf(hub, ctx.account.id)).toEqual(["credit 100", "refund -50"]);
  await expect(recordPayment(hub, testOperator, { ...request, amount: 1 })).rejects.toMatchObject({
    code: "invalid_input",
  });
  const actions = await hub.db.query<{ action: string }>(
    "SELECT action FROM operator_action WHERE target_id = $1 OR target_id = $2 ORDER BY id",
    [String(ctx.account.id), id],
  );
  expect(actions.map(({ action }) => action)).toEqual(["payment.record", "payment.refund"]);
});

test("only webhooks that name the events of payments receive them", async () => {
  const [named, other] = [await newPayer(hub), await newPayer(hub)];
  const url = "https://93.184.216.34/hook";
  await createEndpoint(named, { url, events: ["payment.succeeded", "payment.refunded"] });
  await createEndpoint(other, { url, events: ["generation.completed"] });
  const { intent } = await topUp(named, 1_000);
  await topUp(other, 1_000);
  double.refund(intent, 1_000);
  await reconcileAll(hub);
  const rows = await hub.db.query<{ account_id: number; name: string; data: string }>(
    "SELECT e.account_id, name, data FROM delivery d JOIN event e ON e.n = d.event_n WHERE e.account_id = ANY ($1) ORDER BY n",
    [[named.account.id, other.account.id]],
  );
  expect(rows.map(({ name, data }) => [name, (JSON.parse(data) as { state: string }).state])).toEqual([
    ["payment.succeeded", "paid"],
    ["payment.refunded", "refunded"],
  ]);
});

test("the audit finds no violation after these payments", async () => {
  expect((await runAudit(hub.db)).violations).toEqual([]);
});
