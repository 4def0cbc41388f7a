import { z } from "zod";
import type { Queryable } from "../../db/client";
import { bool, int4, int8, nullable, text, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import { invalidInput } from "../../errors";
import type { Nano } from "../../lib/money";
import { insertAccountSql } from "../accounts/sql";
import { normalizeEmail } from "../../lib/normalize-email";
import type { PeopleHub } from "./hub";

const Email = z.email().max(254);

export interface AccountRequest {
  email: string;
  member?: boolean;
  passwordHash?: string;
  /** Whether the operator or an identity provider vouches for the address. */
  verified?: boolean;
  /** Trial credit that becomes due when the address is verified. */
  signUpCredit?: Nano | null;
}

/**
 * Inserts an account with a balance of zero, and the person who owns it, with the same e-mail address. Returns the
 * account's id. Throws a 400 if the address is invalid, or an account or a person has it.
 */
export async function createAccount(hub: PeopleHub, request: AccountRequest, tx: Queryable = hub.db): Promise<number> {
  const { member = false, passwordHash = null, verified = false, signUpCredit = null } = request;
  const email = checkEmail(request.email);
  const now = hub.now();
  const [account] = await insertAccount(tx, email, member, signUpCredit, now, passwordHash, verified ? now : null);
  if (!account) throw invalidInput("email", "already has an account");
  return account.id;
}

/** Returns an e-mail address in the form in which it is stored. Throws a 400 if it is not one. */
export function checkEmail(address: string): string {
  const email = normalizeEmail(address);
  if (!Email.safeParse(email).success) throw invalidInput("email", "must be an e-mail address");
  return email;
}

const insertAccount = statement({
  params: [text, bool, nullable(int8), timestamptz, nullable(text), nullable(timestamptz)],
  row: { id: int4 },
  text: `
    WITH owner AS (
      INSERT INTO person (email, password_hash, email_verified_at, created_at)
      SELECT $1, $5, $6, $4 WHERE NOT EXISTS (SELECT FROM account WHERE email = $1)
      ON CONFLICT (email) DO NOTHING RETURNING id, email, created_at
    ),
    ${insertAccountSql({ owner: "owner", member: "$2", signUpCredit: "$3" })},
    member AS (
      INSERT INTO membership (account_id, person_id, role, created_at)
      SELECT created.id, owner.id, 'owner', owner.created_at FROM created, owner
    )
    SELECT id FROM created`,
});
