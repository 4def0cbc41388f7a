import { z } from "zod";
import {
  disableAutomaticTopUp,
  enableAutomaticTopUp,
  getPaymentSettings,
  openCustomerPortal,
  startMethodSetup,
  startTopUp,
} from "../domain/top-ups";
import { checkOwnPayments } from "../domain/reconciliation";
import { getTaxProfile, setTaxProfile } from "../domain/tax";
import { procedure, router } from "./procedure";

/** Parses an amount in EUR as people type it to cents. */
const amount = z
  .string()
  .trim()
  .regex(/^\d{1,7}([.,]\d{1,2})?$/, "must be an amount in EUR such as 25 or 25.50")
  .transform((text) => Math.round(Number(text.replace(",", ".")) * 100));

/** The payments of the account, for its owner and whoever pays for it. */
export const payments = router({
  get: procedure("billing").query(({ ctx }) => getPaymentSettings(ctx)),

  /** Returns the country of the account, and its VAT id. */
  tax: procedure("billing").query(({ ctx }) => getTaxProfile(ctx)),

  setTax: procedure("billing")
    .input(z.object({ country: z.string().max(10), vat_id: z.string().max(30) }))
    .mutation(({ ctx, input }) => setTaxProfile(ctx, input)),

  /** Returns the address of the page on which the customer pays. */
  topUp: procedure("billing")
    .input(z.object({ amount, saves_method: z.boolean() }))
    .mutation(({ ctx, input }) => startTopUp(ctx, { amount: input.amount, savesMethod: input.saves_method })),

  /** Returns the address of the page on which the customer saves a method. */
  setUpMethod: procedure("billing").mutation(({ ctx }) => startMethodSetup(ctx)),

  /** Returns the address of the page with invoices and methods. */
  openPortal: procedure("billing").mutation(({ ctx }) => openCustomerPortal(ctx)),

  /** Looks up what the account has just paid or saved, when the customer returns from the provider's page. */
  check: procedure("billing").mutation(({ ctx }) => checkOwnPayments(ctx)),

  enableAutomatic: procedure("billing")
    .input(z.object({ threshold: amount, target: amount, monthly_cap: amount }))
    .mutation(({ ctx, input }) =>
      enableAutomaticTopUp(ctx, {
        threshold: input.threshold,
        target: input.target,
        monthlyCap: input.monthly_cap,
      }),
    ),

  disableAutomatic: procedure("billing").mutation(({ ctx }) => disableAutomaticTopUp(ctx)),
});
