import type { TaxDetails } from "../../payments/provider";
import type { TaxHub, TaxLineHub } from "./hub";
import { treatmentOf } from "./tax-line";
import { selectProfile } from "./tax-profile";
import { isInEu } from "./vat-id";

/** Returns what invoices of an account say about tax; null without a tax profile. */
export async function findTaxDetails(hub: TaxHub & TaxLineHub, accountId: number): Promise<TaxDetails | null> {
  const [profile] = await selectProfile(hub.db, accountId);
  if (!profile) return null;
  const { country, vat_id } = profile;
  const isReverseCharge = treatmentOf({ country, vat_id, tax: 0 }, hub.env.SELLER_COUNTRY) === "reverse_charge";
  // The hub knows only the format of EU VAT ids; others are entered on the payment page.
  return { country, vatId: isInEu(country) ? vat_id : null, isReverseCharge };
}

/** Returns whether the payment page has to ask for a VAT id, because the account's tax details do not answer it. */
export const needsVatId = (details: TaxDetails | null): boolean => details === null || !isInEu(details.country);
