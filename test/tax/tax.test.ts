import { expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { recordPayment } from "../../server/domain/payment-records/record-payment";
import { bookPayment, lockPayment } from "../../server/domain/payments/book-payment";
import { createAccount } from "../../server/domain/people/create-account";
import { refundPayment } from "../../server/domain/reconciliation/refund";
import { listInvoiceLines, listSupplies, parseMonth } from "../../server/domain/tax/list-supplies";
import { getTaxProfile, setTaxProfile } from "../../server/domain/tax/tax-profile";
import { parseCountry, parseVatId } from "../../server/domain/tax/vat-id";
import { newId } from "../../server/lib/id";
import { testHub } from "../hub";
import { testOperator } from "../operator";
import { ownerSession } from "../session";

const hub = await testHub({ SELLER_COUNTRY: "DE" });
const month = () => parseMonth(hub.now().toISOString().slice(0, 7));
const newOwner = async (profile?: { country: string; vat_id: string }) => {
  const owner = await ownerSession(hub, await createAccount(hub, { email: `${newId()}@example.org` }));
  if (profile) await setTaxProfile(owner, profile);
  return owner;
};
const pay = async (account: number, amount: number, tax: number) =>
  (await recordPayment(hub, testOperator, { accountId: account, amount, tax, reference: newId(), note: null })).payment;
const expectNoViolations = async () => expect((await runAudit(hub.db)).violations).toEqual([]);

test.each([
  ["DE", "de 123 456 789", "DE123456789"],
  ["GR", "EL123456789", "EL123456789"],
  ["GR", "123456789", "EL123456789"],
  ["NL", "NL123456789B01", "NL123456789B01"],
  ["AT", "U12345678", "ATU12345678"],
  ["FR", "FR AB123456789", "FRAB123456789"],
  ["IE", "IE1234567WA", "IE1234567WA"],
  ["CH", "CHE-123.456.789", "CHE123456789"],
])("reads a VAT id of %s as %s", (country, typed, vatId) => {
  expect(parseVatId(country, typed)).toBe(vatId);
});

test.each([
  ["DE", "DE12345678"],
  ["DE", "ATU12345678"],
  ["GR", "GR123456789"],
  ["FR", "FRIO123456789"],
  ["SE", "SE123456789002"],
  ["CH", "1"],
  ["IT", "'; DROP"],
])("rejects a VAT id of %s that is %s", (country, typed) => {
  expect(() => parseVatId(country, typed)).toThrow(expect.objectContaining({ code: "invalid_input" }));
});

test("rejects what is no country", () => {
  expect(parseCountry(" de ")).toBe("DE");
  for (const code of ["", "D", "DEU", "QQ", "1A", "UK", "SU", "EU", "ZZ"])
    expect(() => parseCountry(code)).toThrow(expect.objectContaining({ code: "invalid_input" }));
});

test("a profile is set, changed and removed, and a VAT id needs a country", async () => {
  const owner = await newOwner();
  expect(await getTaxProfile(owner)).toBeNull();
  await expect(setTaxProfile(owner, { country: "", vat_id: "DE123456789" })).rejects.toMatchObject({
    code: "invalid_input",
  });
  await setTaxProfile(owner, { country: "fr", vat_id: "" });
  expect(await getTaxProfile(owner)).toEqual({ country: "FR", vat_id: null });
  await setTaxProfile(owner, { country: "at", vat_id: "u12345678" });
  expect(await getTaxProfile(owner)).toEqual({ country: "AT", vat_id: "ATU12345678" });
  await setTaxProfile(owner, { country: "", vat_id: "" });
  expect(await getTaxProfile(owner)).toBeNull();
});

test("supplies are listed by country, treatment and rate, and corrections have the profile of the supply", async () => {
  hub.clock.advance(40 * 86_400_000);
  const home = await newOwner({ country: "DE", vat_id: "" });
  const partner = await newOwner({ country: "AT", vat_id: "ATU12345678" });
  const [abroad, unknown] = [await newOwner({ country: "CH", vat_id: "" }), await newOwner()];
  const taxed = await pay(home.account.id, 10_000, 1_900);
  await pay(home.account.id, 555, 105);
  const reversed = await pay(partner.account.id, 20_000, 0);
  await pay(abroad.account.id, 3_000, 0);
  await pay(unknown.account.id, 1_000, 0);
  await setTaxProfile(partner, { country: "FR", vat_id: "" });
  await refundPayment(hub, testOperator, { paymentId: taxed.id, amount: 1_190, reason: "asked for" });
  await refundPayment(hub, testOperator, { paymentId: reversed.id, amount: 500, reason: "asked for" });
  await hub.db.transaction(async (tx) => {
    const [payment] = await lockPayment(tx, taxed.id);
    return bookPayment(hub, tx, payment!, { disputed: 1_190 });
  });
  const row = { vat_id: null, corrections: 0, supplies: 1, rate: "0.0", tax: "0.00" };
  expect(await listSupplies(hub, month())).toEqual([
    { ...row, country: "AT", treatment: "reverse_charge", vat_id: "ATU12345678", corrections: 1, net: "195.00" },
    { ...row, country: "CH", treatment: "outside_eu", net: "30.00" },
    {
      ...row,
      country: "DE",
      treatment: "taxed",
      rate: "19.0",
      supplies: 2,
      corrections: 2,
      net: "85.55",
      tax: "16.25",
    },
    { ...row, country: null, treatment: "untaxed", net: "10.00" },
  ]);
  const lines = await listInvoiceLines(hub, month());
  const notes = lines.filter(({ kind }) => kind === "credit_note");
  expect(notes.map(({ corrects, net, tax, gross, treatment }) => [corrects, net, tax, gross, treatment])).toEqual([
    [lines[0]!.number, "-10.00", "-1.90", "-11.90", "taxed"],
    [lines[2]!.number, "-5.00", "0.00", "-5.00", "reverse_charge"],
  ]);
  expect(lines).toHaveLength(5 + 2);
  await expectNoViolations();
});

test("concurrent payments and rejected ones leave no gap between numbers", async () => {
  hub.clock.advance(40 * 86_400_000);
  const owners = await Promise.all(Array.from({ length: 4 }, () => newOwner()));
  const references = Array.from({ length: 12 }, newId);
  const attempts = Array.from({ length: 48 }, (_, n) => {
    const at = n % references.length;
    // Every fourth is rejected after it has taken its number.
    const request = {
      accountId: owners[at % 4]!.account.id,
      amount: 100,
      tax: 19,
      reference: references[at]!,
      note: null,
    };
    return recordPayment(hub, n < 36 ? testOperator : { ...testOperator, name: "\u0000" }, request);
  });
  await Promise.allSettled(attempts);
  const lines = await listInvoiceLines(hub, month());
  expect(lines).toHaveLength(12);
  const numbers = lines.map(({ number }) => Number(number.split("-")[1]));
  expect(numbers).toEqual(numbers.map((_, n) => numbers[0]! + n));
  await expectNoViolations();
});

test.each([
  [
    "tax of a refund that was changed",
    "UPDATE tax_line SET tax = tax + 1 WHERE payment_id = $1 AND kind = 'refund'",
    "lines 7900 cents and 1502 of tax, paid and not taken back 7900 and 1501",
  ],
  [
    "net of a dispute that was changed",
    "UPDATE tax_line SET net = net - 1 WHERE payment_id = $1 AND kind = 'dispute'",
    "lines 7899 cents and 1501 of tax, paid and not taken back 7900 and 1501",
  ],
  [
    "supply that was deleted",
    "DELETE FROM tax_line WHERE payment_id = $1 AND kind = 'supply'",
    "no supply of 10000 cents and 1900 of tax",
  ],
  [
    "payment whose lines were deleted",
    "DELETE FROM tax_line WHERE payment_id = $1",
    "no supply of 10000 cents and 1900 of tax",
  ],
])("the audit reports the %s", async (_case, change, message) => {
  await pay((await newOwner()).account.id, 100, 19);
  hub.clock.advance(2 * 86_400_000);
  const { id } = await pay((await newOwner()).account.id, 10_000, 1_900);
  await refundPayment(hub, testOperator, { paymentId: id, amount: 1_190, reason: "asked for" });
  await hub.db.transaction(async (tx) => bookPayment(hub, tx, (await lockPayment(tx, id))[0]!, { disputed: 1_309 }));
  await expectNoViolations();
  const [lines] = await hub.db.query<{ json: string }>(
    "SELECT json_agg(tax_line)::text AS json FROM tax_line WHERE payment_id = $1",
    [id],
  );
  await hub.db.query(change, [id]);
  const { violations } = await runAudit(hub.db);
  expect(violations.filter(({ subject }) => subject === `payment ${id}`)).toMatchObject([{ message }]);
  await hub.db.query("DELETE FROM tax_line WHERE payment_id = $1", [id]);
  await hub.db.query("INSERT INTO tax_line SELECT * FROM json_populate_recordset(NULL::tax_line, $1::json)", [
    lines!.json,
  ]);
  await expectNoViolations();
});

test.each(["2026-13", "2026-1", "26-01", "", "2026-01-01"])("rejects the month %j", (text) => {
  expect(() => parseMonth(text)).toThrow(expect.objectContaining({ code: "invalid_input" }));
});
