import type Stripe from "stripe";
import { CustomerMissing, PaymentRejected, type TaxDetails } from "../provider";
import { isRejected, type StripeConnection } from "./client";
import { listAll } from "./read-state";

/** Marks customers whose tax details are the hub's, in their metadata. */
const MARK = "tax_details";
const VAT_TYPE = "eu_vat";

/**
 * Sets the tax details of a customer, which later invoices print; null removes those that an earlier call has set. Repeating it
 * changes nothing. Throws PaymentRejected for details that Stripe does not accept, and CustomerMissing.
 */
export async function setTaxDetails(
  { stripe, tax }: StripeConnection,
  customer: string,
  details: TaxDetails | null,
): Promise<void> {
  const stored = await stripe.customers.retrieve(customer);
  if (stored.deleted) throw new CustomerMissing(`The customer ${customer} was deleted.`);
  const isMarked = stored.metadata[MARK] === "hub";
  if (!details && !isMarked) return;
  // The mark is set before the first VAT id and removed after the last, so that an interrupted call leaves it.
  if (details)
    await updateCustomer(stripe, stored, { ...details, isExempt: details.isReverseCharge && !tax, isMarked });
  await setVatId(stripe, customer, details?.vatId ?? null);
  if (!details) await removeMark(stripe, stored);
}

/** Ends the reverse charge and removes the mark. */
async function removeMark(stripe: Stripe, { id, tax_exempt }: Stripe.Customer): Promise<void> {
  const exemption = tax_exempt === "reverse" ? ({ tax_exempt: "none" } as const) : {};
  await stripe.customers.update(id, { metadata: { [MARK]: "" }, ...exemption });
}

interface Wanted {
  country: string;
  /** With Stripe Tax, Stripe itself recognizes the reverse charge by the VAT id. */
  isExempt: boolean;
  isMarked: boolean;
}

/** Sends what differs. Invoices of a customer with the exemption `reverse` say "Reverse charge". */
async function updateCustomer(
  stripe: Stripe,
  { id, address, tax_exempt }: Stripe.Customer,
  { country, isExempt, isMarked }: Wanted,
): Promise<void> {
  const change: Stripe.CustomerUpdateParams = {};
  if (!isMarked) change.metadata = { [MARK]: "hub" };
  // An address that the customer entered on the payment page is more than a country, and stays.
  if (!address?.line1 && address?.country !== country) change.address = { country };
  // An exemption that the operator has set stays.
  if (isExempt && tax_exempt === "none") change.tax_exempt = "reverse";
  if (!isExempt && isMarked && tax_exempt === "reverse") change.tax_exempt = "none";
  if (Object.keys(change).length > 0) await stripe.customers.update(id, change).catch(throwRejection);
}

/** Makes this the only EU VAT id of the customer (null removes them all). Tax ids of other kinds are not changed. */
async function setVatId(stripe: Stripe, customer: string, vatId: string | null): Promise<void> {
  const stored = (await listAll((page) => stripe.customers.listTaxIds(customer, page))).filter(
    ({ type }) => type === VAT_TYPE,
  );
  const kept = stored.find(({ value }) => value === vatId);
  for (const other of stored)
    if (other !== kept)
      await stripe.customers.deleteTaxId(customer, other.id).catch((error: unknown) => {
        // Another call has deleted it.
        if (!isRejected(error)) throw error;
      });
  if (kept || vatId === null) return;
  await stripe.customers.createTaxId(customer, { type: VAT_TYPE, value: vatId }).catch(throwRejection);
}

/** Throws PaymentRejected for details that Stripe rejects, and the error itself for a customer that is gone meanwhile. */
function throwRejection(error: unknown): never {
  throw isRejected(error) && error.code !== "resource_missing" ? new PaymentRejected(error.message) : error;
}
