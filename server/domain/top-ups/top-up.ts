import type { Ctx } from "../../context";
import { bool, int4, int8Number, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError, invalidInput } from "../../errors";
import { newId } from "../../lib/id";
import { lockAccount } from "../accounts";
import { PROVIDER, requireProvider, selectCustomer, withCustomer } from "../payment-customers";
import { type Cents, isPaymentRejected } from "../../payments/provider";
import { needsVatId } from "../tax";
import type { TopUpsHub } from "./hub";
import { sendTaxDetails } from "./send-tax-details";

/** In cents. */
const MIN_TOP_UP = 500;
const MAX_TOP_UP = 1_000_000;
/** How many payment pages an account may have open. */
const MAX_OPEN = 10;
const TAX_DETAILS_REJECTED =
  "cannot be paid, because the payment provider does not accept your tax details: check the country and the VAT ID";

/** Returns the address of the console's balance page, to which providers send customers back. */
const returnUrlOf = ({ hub }: Ctx<TopUpsHub>): string => `${hub.env.BASE_URL}/balance`;

/**
 * Starts a payment and returns the address of the provider's page for it. Throws 400 for an amount out of range and when
 * too many pages are open.
 */
export async function startTopUp(
  ctx: Ctx<TopUpsHub>,
  { amount, savesMethod }: { amount: Cents; savesMethod: boolean },
): Promise<{ url: string }> {
  const { hub, account } = ctx;
  const provider = requireProvider(hub);
  if (amount < MIN_TOP_UP || amount > MAX_TOP_UP)
    throw invalidInput("amount", `must be from ${MIN_TOP_UP / 100} to ${MAX_TOP_UP / 100} EUR`);
  const { customer, details } = await withCustomer(ctx, async (ref) => ({
    customer: ref,
    details: await sendTaxDetails(hub, account.id, ref),
  })).catch((error: unknown) => {
    throw isPaymentRejected(error) ? invalidInput("amount", TAX_DETAILS_REJECTED) : error;
  });
  const id = newId();
  const now = hub.now();
  const [created] = await hub.db.transaction(async (tx) => {
    await lockAccount(tx, account.id);
    return insertTopUp(tx, id, account.id, PROVIDER, amount, savesMethod, now, MAX_OPEN);
  });
  if (!created)
    throw invalidInput(
      "amount",
      `can be paid once one of the ${MAX_OPEN} payments you have started is finished or expires`,
    );
  const page = await provider
    .startTopUp({ id, customer, amount, savesMethod, asksForVatId: needsVatId(details), returnUrl: returnUrlOf(ctx) })
    .catch(async (error: unknown) => {
      // Nobody has seen its page, so it must not count as open.
      await expireUnsent(hub.db, id, hub.now());
      throw error;
    });
  // The page of a payment that has expired meanwhile must not be shown.
  const [stored] = await setRef(hub.db, id, page.ref);
  if (!stored) throw new AppError("service_unavailable", "The payment could not be started. Try again.");
  return { url: page.url };
}

/** Returns the address of the provider's page on which the customer saves a method for automatic top-ups. */
export async function startMethodSetup(ctx: Ctx<TopUpsHub>): Promise<{ url: string }> {
  const provider = requireProvider(ctx.hub);
  const returnUrl = returnUrlOf(ctx);
  return { url: await withCustomer(ctx, (customer) => provider.startSetup({ customer, returnUrl })) };
}

/** Returns the address of the provider's page with the customer's methods and invoices. Throws 404 before any payment. */
export async function openCustomerPortal(ctx: Ctx<TopUpsHub>): Promise<{ url: string }> {
  const provider = requireProvider(ctx.hub);
  const [customer] = await selectCustomer(ctx.hub.db, ctx.account.id);
  if (!customer) throw new AppError("resource_not_found", "There are no invoices yet. Top up first.");
  return { url: await provider.openPortal(customer.customer_ref, returnUrlOf(ctx)) };
}

// Runs under the lock of the account, because an earlier snapshot would lack the payments of concurrent requests.
const insertTopUp = statement({
  params: [uuid, int4, text, int4, bool, timestamptz, int8Number],
  row: { id: uuid },
  text: `
    INSERT INTO payment (id, account_id, provider, kind, state, amount, saves_method, created_at, next_check_at)
    SELECT $1, id, $3, 'top_up', 'pending', $4, $5, $6, $6::timestamptz + interval '5 minutes' FROM account
    WHERE id = $2 AND NOT suspended AND closes_at IS NULL AND (SELECT count(*) FROM payment WHERE account_id = $2 AND kind = 'top_up' AND state = 'pending') < $7
    RETURNING id`,
});

/** Expires a pending payment that takes no money: it has no page yet, or its charge was not sent. */
export const expireUnsent = statement({
  params: [uuid, timestamptz],
  row: {},
  text: `
    UPDATE payment SET state = 'expired', settled_at = $2, next_check_at = NULL
    WHERE id = $1 AND state = 'pending' AND sent_at IS NULL AND (provider_ref IS NULL OR kind = 'automatic')`,
});

/** Stores the provider's id of a pending payment. */
export const setRef = statement({
  params: [uuid, text],
  row: { id: uuid },
  text: `
    UPDATE payment SET provider_ref = $2 WHERE id = $1 AND state = 'pending' AND (provider_ref IS NULL OR provider_ref = $2)
    RETURNING id`,
});
