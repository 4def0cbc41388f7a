import type { Ctx } from "../../context";
import { int4, nullable, text, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import { invalidInput } from "../../errors";
import { lockActiveAccount } from "../accounts";
import type { TaxHub } from "./hub";
import { parseCountry, parseVatId } from "./vat-id";

/** Where a customer is, and its VAT id. */
interface TaxProfile {
  /** ISO 3166-1, two letters. */
  country: string;
  vat_id: string | null;
}

/** Returns the tax profile of the account `$1`, if it has one. */
export const selectProfile = statement({
  params: [int4],
  row: { country: text, vat_id: nullable(text) },
  text: "SELECT country, vat_id FROM tax_profile WHERE account_id = $1",
});

/** Returns the tax profile of the caller's account; null if it has none. */
export const getTaxProfile = async ({ hub, account }: Ctx<TaxHub>): Promise<TaxProfile | null> =>
  (await selectProfile(hub.db, account.id))[0] ?? null;

/**
 * Sets where the caller's account is, and its VAT id, for later payments; empty texts remove both. Throws a 400 for an
 * unknown country and for a VAT id without a country or not in its format.
 */
export async function setTaxProfile(
  { hub, account }: Ctx<TaxHub>,
  typed: { country: string; vat_id: string },
): Promise<void> {
  const isEmpty = typed.country.trim() === "";
  if (isEmpty && typed.vat_id.trim() !== "") throw invalidInput("country", "is needed for a VAT id");
  const country = isEmpty ? null : parseCountry(typed.country);
  const vatId = country === null || typed.vat_id.trim() === "" ? null : parseVatId(country, typed.vat_id);
  await hub.db.transaction(async (tx) => {
    // Before the row refers to the account, because a lock by only the foreign key deadlocks with credits.
    await lockActiveAccount(tx, account.id);
    if (country === null) await deleteTaxProfile(tx, account.id);
    else await upsertProfile(tx, account.id, country, vatId, hub.now());
  });
}

const upsertProfile = statement({
  params: [int4, text, nullable(text), timestamptz],
  row: {},
  text: `
    INSERT INTO tax_profile (account_id, country, vat_id, changed_at) VALUES ($1, $2, $3, $4)
    ON CONFLICT (account_id) DO UPDATE SET country = excluded.country, vat_id = excluded.vat_id,
                                           changed_at = excluded.changed_at`,
});

/** Deletes the tax profile of the account `$1`. */
export const deleteTaxProfile = statement({
  params: [int4],
  row: {},
  text: "DELETE FROM tax_profile WHERE account_id = $1",
});
