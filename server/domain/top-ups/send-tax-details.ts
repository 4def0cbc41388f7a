import type { TaxDetails } from "../../payments/provider";
import { requireProvider } from "../payment-customers";
import { findTaxDetails } from "../tax";
import type { TopUpsHub } from "./hub";

/**
 * Copies the account's tax details to its customer at the provider, and returns them. Called before each payment instead of
 * when they are saved, so that the next payment repairs a lost call. Throws PaymentRejected for details that the provider
 * does not accept.
 */
export async function sendTaxDetails(hub: TopUpsHub, accountId: number, customer: string): Promise<TaxDetails | null> {
  const details = await findTaxDetails(hub, accountId);
  await requireProvider(hub).setTaxDetails(customer, details);
  return details;
}
