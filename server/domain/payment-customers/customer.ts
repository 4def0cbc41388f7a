import type { Ctx, HubParts } from "../../context";
import { int4, nullable, text, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError } from "../../errors";
import { isCustomerMissing, type PaymentProvider } from "../../payments/provider";

/** The parts of the hub that payment customers use. */
export type PaymentCustomersHub = Pick<HubParts, "db" | "now" | "payments">;

/** The provider at which customers pay. */
export const PROVIDER = "stripe";

/** Returns the provider at which customers pay. Throws 404 when the hub takes no payments. */
export function requireProvider(hub: PaymentCustomersHub): PaymentProvider {
  const provider = hub.payments[PROVIDER];
  if (!provider)
    throw new AppError("resource_not_found", "This hub does not take payments. Ask its operator for credit.");
  return provider;
}

/**
 * Calls `use` with the provider's id of the account's customer, which the first call creates. If the provider does not have
 * it any more, as after a change from its test mode, calls `use` again with another one. Throws a 401 if the account got
 * another holder meanwhile.
 */
export async function withCustomer<T>(
  ctx: Ctx<PaymentCustomersHub>,
  use: (customer: string) => Promise<T>,
): Promise<T> {
  const customer = await findOrCreateCustomer(ctx, null);
  try {
    return await use(customer);
  } catch (error) {
    if (!isCustomerMissing(error)) throw error;
    return use(await findOrCreateCustomer(ctx, customer));
  }
}

/** Returns the provider's id of the account's customer. Creates one if the account has none, or only `missing`. */
async function findOrCreateCustomer(
  { hub, account }: Ctx<PaymentCustomersHub>,
  missing: string | null,
): Promise<string> {
  const [holder] = await selectHolder(hub.db, account.id);
  if (holder?.customer_ref && holder.customer_ref !== missing) return holder.customer_ref;
  const version = holder!.session_version;
  const { id, email } = account;
  const customer = await requireProvider(hub).createCustomer({ account: id, email, version, former: missing });
  const [row] = await storeCustomer(hub.db, account.id, PROVIDER, customer, hub.now(), version, missing);
  const ref = row?.customer_ref ?? (await selectCustomer(hub.db, account.id))[0]?.customer_ref;
  if (!ref) throw new AppError("unauthorized", "This session has ended.");
  return ref;
}

const selectHolder = statement({
  params: [int4],
  row: { session_version: int4, customer_ref: nullable(text) },
  text: `
    SELECT a.session_version, c.customer_ref FROM account a LEFT JOIN payment_customer c ON c.account_id = a.id
    WHERE a.id = $1`,
});

/** Fetches the saved method of a customer from the provider. Does nothing for a customer that the hub does not know. */
export async function refreshMethod(hub: PaymentCustomersHub, customer: string): Promise<void> {
  const [known] = await selectByRef(hub.db, PROVIDER, customer);
  if (!known) return;
  const method = await requireProvider(hub).fetchMethod(customer);
  await saveMethod(hub.db, known.account_id, customer, method?.ref ?? null, method?.label ?? null);
}

/** Stores the saved method of an account's customer. */
export const saveMethod = statement({
  params: [int4, text, nullable(text), nullable(text)],
  row: {},
  text: "UPDATE payment_customer SET method_ref = $3, method_label = $4 WHERE account_id = $1 AND customer_ref = $2",
});

/**
 * Deletes the customer of the account `$1`, the saved method and the automatic top-up: the account's next holder pays as
 * a new customer, and sees no invoices of the former one.
 */
export const forgetCustomer = statement({
  params: [int4],
  row: {},
  text: `
    WITH method AS (DELETE FROM payment_customer WHERE account_id = $1)
    DELETE FROM automatic_top_up WHERE account_id = $1`,
});

/** Returns the customer of the account `$1`, with the saved method. */
export const selectCustomer = statement({
  params: [int4],
  row: { customer_ref: text, method_ref: nullable(text), method_label: nullable(text) },
  text: "SELECT customer_ref, method_ref, method_label FROM payment_customer WHERE account_id = $1",
});

const selectByRef = statement({
  params: [text, text],
  row: { account_id: int4 },
  text: "SELECT account_id FROM payment_customer WHERE provider = $1 AND customer_ref = $2",
});

// Replaces the missing customer `$6` in its row, which is never deleted: a concurrent request without a row would create
// the first customer again, and the provider would answer its repeated idempotency key with the missing id.
const storeCustomer = statement({
  params: [int4, text, text, timestamptz, int4, nullable(text)],
  row: { customer_ref: text },
  text: `
    WITH holder AS MATERIALIZED (SELECT id FROM account WHERE id = $1 AND session_version = $5 FOR SHARE)
    INSERT INTO payment_customer AS c (account_id, provider, customer_ref, created_at) SELECT id, $2, $3, $4 FROM holder
    ON CONFLICT (account_id) DO UPDATE
      SET customer_ref = excluded.customer_ref, created_at = excluded.created_at, method_ref = NULL, method_label = NULL
      WHERE c.customer_ref = $6
    RETURNING customer_ref`,
});
