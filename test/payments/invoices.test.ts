import { expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { reconcileEverything, reconcilePayment, refundPayment } from "../../server/domain/reconciliation";
import { setTaxProfile } from "../../server/domain/tax";
import { enableAutomaticTopUp, startTopUp } from "../../server/domain/top-ups";
import { testOperator } from "../operator";
import { REJECTED_VAT_ID } from "./double-tax";
import { moneyOf, newPayer, payingHub, processPayments, sendEvent, spend } from "./paying-hub";
import type { Fault } from "./stripe-double";

const { hub, double } = await payingHub({ SELLER_COUNTRY: "DE" });
type Payer = Awaited<ReturnType<typeof newPayer>>;

async function deliver(from: number): Promise<void> {
  const events = double.events.slice(from);
  // Stripe may send an event twice, and in any order.
  for (const event of [...events.toReversed(), ...events]) expect(await sendEvent(hub, event)).toBe(200);
  await processPayments(hub);
}

/** Opens a page to pay and returns its session. */
async function openPage(ctx: Payer, amount = 2_500, savesMethod = false) {
  await startTopUp(ctx, { amount, savesMethod });
  return [...double.sessions.values()].at(-1)!;
}

async function topUp(ctx: Payer, amount = 2_500, savesMethod = false) {
  const before = double.events.length;
  const session = await openPage(ctx, amount, savesMethod);
  double.pay(session.id, { save: savesMethod });
  await deliver(before);
  return { payment: session.hub, intent: session.payment_intent!, invoice: `in_${session.id}` };
}

const notesOf = (invoice: string) =>
  [...double.creditNotes.values()].filter((note) => note.invoice === invoice).map(({ amount }) => amount);
const refund = (paymentId: string, amount: number) =>
  refundPayment(hub, testOperator, { paymentId, amount, reason: "test" });
const errorOf = async (payment: string) =>
  (await hub.db.query<{ error: string | null }>("SELECT error FROM payment WHERE id = $1", [payment]))[0]!.error;

/** Lets each call that `matches` fail once. */
function failOnce(matches: (method: string, path: string) => boolean, fault: Fault): void {
  double.faults.next = (method, path) => {
    if (!matches(method, path)) return null;
    double.faults.next = () => null;
    return fault;
  };
}
const isNoteCall = (method: string, path: string) => method === "POST" && path === "/v1/credit_notes";

test("a refund of the operator and one at Stripe have a credit note each, of their own invoice", async () => {
  const [paid, other] = [await topUp(await newPayer(hub)), await topUp(await newPayer(hub))];
  const before = double.events.length;
  await refund(paid.payment, 400);
  double.refund(paid.intent, 700);
  await deliver(before);
  await Promise.all([1, 2, 3].map(() => reconcilePayment(hub, paid.payment)));
  expect(notesOf(paid.invoice)).toEqual([400, 700]);
  expect(notesOf(other.invoice)).toEqual([]);
});

test("a charge of the saved method has its credit note on its own invoice", async () => {
  const ctx = await newPayer(hub);
  await topUp(ctx, 2_000, true);
  await enableAutomaticTopUp(ctx, { threshold: 1_000, target: 3_000, monthlyCap: 10_000 });
  await spend(hub, ctx.account.id, 15);
  await processPayments(hub);
  const invoice = [...double.invoices.values()].at(-1)!;
  expect(invoice.status).toBe("paid");
  const before = double.events.length;
  double.refund(invoice.intent!, 300);
  await deliver(before);
  expect(notesOf(invoice.id)).toEqual([300]);
});

test("concurrent calls issue one credit note", async () => {
  const paid = await topUp(await newPayer(hub));
  double.refund(paid.intent, 500);
  await Promise.all(Array.from({ length: 6 }, () => reconcilePayment(hub, paid.payment)));
  expect(notesOf(paid.invoice)).toEqual([500]);
});

test("a refund that is pending or has failed has no credit note until it has arrived", async () => {
  const paid = await topUp(await newPayer(hub));
  const before = double.events.length;
  double.refund(paid.intent, 500);
  const stored = [...double.refunds.values()].at(-1)!;
  stored.status = "pending";
  await deliver(before);
  expect(notesOf(paid.invoice)).toEqual([]);
  double.refund(paid.intent, 600);
  double.failRefund([...double.refunds.keys()].at(-1)!);
  await deliver(before);
  expect(notesOf(paid.invoice)).toEqual([]);
  stored.status = "succeeded";
  await reconcilePayment(hub, paid.payment);
  expect(notesOf(paid.invoice)).toEqual([500]);
});

test.each(["unreached", "unanswered"] as const)("a credit note whose call was %s is issued once", async (fault) => {
  const ctx = await newPayer(hub);
  const paid = await topUp(ctx);
  const before = double.events.length;
  failOnce(isNoteCall, fault);
  await refund(paid.payment, 900);
  // What is booked does not depend on the credit note.
  expect((await moneyOf(hub, ctx.account.id)).balance).toBe(16);
  expect(notesOf(paid.invoice)).toEqual(fault === "unanswered" ? [900] : []);
  failOnce(isNoteCall, fault);
  await deliver(before);
  hub.clock.advance(2 * 3_600_000);
  await processPayments(hub);
  expect(notesOf(paid.invoice)).toEqual([900]);
  expect([...double.refunds.values()].filter(({ payment_intent }) => payment_intent === paid.intent)).toHaveLength(1);
});

test("a credit note that Stripe rejects is shown with the payment, and the other refunds have theirs", async () => {
  const ctx = await newPayer(hub);
  const paid = await topUp(ctx);
  // The operator has credited a part in the dashboard, without a refund.
  const manual = {
    id: "cn_manual",
    object: "credit_note" as const,
    invoice: paid.invoice,
    amount: 1_000,
    refunds: [],
  };
  double.creditNotes.set(manual.id, manual);
  const before = double.events.length;
  double.refund(paid.intent, 1_600);
  double.refund(paid.intent, 100);
  await deliver(before);
  expect(await errorOf(paid.payment)).toMatch(/refund re_\d+ has no credit note: The credit note exceeds the invoice/);
  expect(notesOf(paid.invoice)).toEqual([1_000, 100]);
  expect((await moneyOf(hub, ctx.account.id)).balance).toBe(8);
  const message = await errorOf(paid.payment);
  await reconcilePayment(hub, paid.payment);
  expect(await errorOf(paid.payment)).toBe(message);
  // The operator issues the rest for the refund.
  const [ref] = /re_\d+/.exec(message!)!;
  double.creditNotes.set(manual.id, { ...manual, amount: 2_400, refunds: [{ refund: ref }] });
  await reconcileEverything(hub);
  expect(await errorOf(paid.payment)).toBeNull();
  expect(notesOf(paid.invoice)).toEqual([2_400, 100]);
});

const customerOf = (ctx: Payer) => [...double.customers.values()].find(({ email }) => email === ctx.account.email)!;
const vatIdsOf = (ctx: Payer) => customerOf(ctx).tax_ids.map(({ value }) => value);

test("invoices have the country and the VAT id of the tax details, and say when the customer owes the tax", async () => {
  const ctx = await newPayer(hub);
  expect((await openPage(ctx)).asks).toBe(true);
  expect(customerOf(ctx)).toMatchObject({ address: null, tax_exempt: "none", metadata: {} });

  await setTaxProfile(ctx, { country: "FR", vat_id: "FRAB123456789" });
  expect((await openPage(ctx)).asks).toBe(false);
  expect(customerOf(ctx)).toMatchObject({ address: { country: "FR" }, tax_exempt: "reverse" });
  expect(vatIdsOf(ctx)).toEqual(["FRAB123456789"]);
  const calls = double.calls.length;
  await openPage(ctx);
  expect(double.calls.slice(calls)).toEqual(["POST /v1/checkout/sessions"]);

  await setTaxProfile(ctx, { country: "DE", vat_id: "DE123456789" });
  await openPage(ctx);
  expect(customerOf(ctx)).toMatchObject({ address: { country: "DE" }, tax_exempt: "none" });
  expect(vatIdsOf(ctx)).toEqual(["DE123456789"]);

  await setTaxProfile(ctx, { country: "CH", vat_id: "CHE123456789" });
  expect((await openPage(ctx)).asks).toBe(true);
  expect(vatIdsOf(ctx)).toEqual([]);

  await setTaxProfile(ctx, { country: "", vat_id: "" });
  expect((await openPage(ctx)).asks).toBe(true);
  expect(customerOf(ctx)).toMatchObject({ tax_exempt: "none", metadata: {}, tax_ids: [] });
});

test("what the customer or the operator entered at Stripe stays", async () => {
  const ctx = await newPayer(hub);
  await openPage(ctx);
  const customer = customerOf(ctx);
  customer.tax_ids = [{ id: "txi_typed", type: "eu_vat", value: "ATU12345678" }];
  await openPage(ctx);
  expect(vatIdsOf(ctx)).toEqual(["ATU12345678"]);
  Object.assign(customer, { address: { country: "AT", line1: "Ring 1" }, tax_exempt: "exempt" });
  customer.tax_ids.push({ id: "txi_other", type: "ch_vat", value: "CHE123" });
  await setTaxProfile(ctx, { country: "FR", vat_id: "FRAB123456789" });
  await openPage(ctx);
  expect(customer).toMatchObject({ address: { country: "AT", line1: "Ring 1" }, tax_exempt: "exempt" });
  expect(vatIdsOf(ctx)).toEqual(["CHE123", "FRAB123456789"]);
  await setTaxProfile(ctx, { country: "", vat_id: "" });
  await openPage(ctx);
  expect(customer).toMatchObject({ tax_exempt: "exempt", metadata: {} });
  expect(vatIdsOf(ctx)).toEqual(["CHE123"]);
});

test("tax details arrive whichever call is lost", async () => {
  const ctx = await newPayer(hub);
  await openPage(ctx);
  const profiles = [
    { country: "FR", vat_id: "FRAB123456789" },
    { country: "AT", vat_id: "ATU12345678" },
    { country: "", vat_id: "" },
  ];
  for (const fault of ["unreached", "unanswered"] as const) {
    for (const profile of profiles) {
      await setTaxProfile(ctx, profile);
      // Each attempt gets one call further.
      for (let allowed = 0; ; allowed += 1) {
        let left = allowed;
        double.faults.next = (_method, path) => (path.startsWith("/v1/customers/") && (left -= 1) < 0 ? fault : null);
        const isDone = await openPage(ctx).then(
          () => true,
          () => false,
        );
        if (isDone) break;
      }
      double.faults.next = () => null;
      const page = await openPage(ctx);
      expect(vatIdsOf(ctx)).toEqual([profile.vat_id].filter(Boolean));
      expect(customerOf(ctx).tax_exempt).toBe(profile.vat_id ? "reverse" : "none");
      // An account has ten open pages at most.
      for (const { id } of double.sessions.values()) double.expire(id);
      await reconcilePayment(hub, page.hub);
    }
  }
});

test.each([
  ["VAT id", { country: "FR", vat_id: REJECTED_VAT_ID }],
  // Older versions took it for a country.
  ["country", { country: "UK", vat_id: "" }],
])(
  "a %s that Stripe does not accept is named before the payment, and stops no automatic charge",
  async (_what, typed) => {
    const ctx = await newPayer(hub);
    await topUp(ctx, 2_000, true);
    await setTaxProfile(ctx, { ...typed, country: "FR" });
    await hub.db.query("UPDATE tax_profile SET country = $2 WHERE account_id = $1", [ctx.account.id, typed.country]);
    await expect(openPage(ctx)).rejects.toMatchObject({ code: "invalid_input" });
    await enableAutomaticTopUp(ctx, { threshold: 1_000, target: 3_000, monthlyCap: 10_000 });
    await spend(hub, ctx.account.id, 15);
    await processPayments(hub);
    expect((await moneyOf(hub, ctx.account.id)).balance).toBe(30);
  },
);

test("with Stripe Tax, Stripe itself recognizes the reverse charge", async () => {
  const { hub: taxed, double: stripe } = await payingHub({ SELLER_COUNTRY: "DE", STRIPE_TAX: "on" });
  const ctx = await newPayer(taxed);
  await setTaxProfile(ctx, { country: "FR", vat_id: "FRAB123456789" });
  await startTopUp(ctx, { amount: 1_000, savesMethod: false });
  const [customer] = stripe.customers.values();
  expect(customer).toMatchObject({ tax_exempt: "none", tax_ids: [{ value: "FRAB123456789" }] });
});

test("the audit finds nothing", async () => {
  expect((await runAudit(hub.db)).violations).toEqual([]);
});
