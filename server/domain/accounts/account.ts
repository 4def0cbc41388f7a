import { z } from "zod";
import type { AccountModel } from "../../../prisma/client/models";
import type { Hub } from "../../context";
import type { Queryable } from "../../db/client";
import { bool, int4, int8, nullable, text, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import { invalidInput, AppError } from "../../errors";
import type { Nano } from "../../lib/money";

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

/** Inserts an account with a balance of zero and returns its id. Throws a 400 when the address is invalid or taken. */
export async function createAccount(hub: Hub, request: AccountRequest, tx: Queryable = hub.db): Promise<number> {
  const { member = false, passwordHash = null, verified = false, signUpCredit = null } = request;
  const email = normalizeEmail(request.email);
  if (!Email.safeParse(email).success) throw invalidInput("email", "must be an e-mail address");
  const now = hub.now();
  const [account] = await insertAccount(tx, email, member, passwordHash, verified ? now : null, signUpCredit, now);
  if (!account) throw invalidInput("email", "already has an account");
  return account.id;
}

const insertAccount = statement({
  params: [text, bool, nullable(text), nullable(timestamptz), nullable(int8), timestamptz],
  row: { id: int4 },
  text: `
    INSERT INTO account (email, member, password_hash, email_verified_at, sign_up_credit, created_at)
    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (email) DO NOTHING RETURNING id`,
});

/** Returns the form in which e-mail addresses are stored and compared. */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase();

/** Returns the account with this e-mail address, for the operator. Throws a 404 when there is none. */
export async function getAccount(hub: Hub, email: string): Promise<AccountModel> {
  const account = await hub.db.prisma.account.findUnique({ where: { email: email.trim().toLowerCase() } });
  if (!account) throw new AppError("resource_not_found", `There is no account with the address ${email}.`);
  return account;
}

/**
 * Locks an account until the end of the transaction, in which the limit of one of its keys changes: statements that hold
 * or settle its money and began before run again (decision 36).
 */
export const beginKeyLimitChange = statement({
  params: [int4],
  row: {},
  text: "UPDATE account SET key_limits_version = key_limits_version + 1 WHERE id = $1",
});

/** Ends every session of an account, on every device, at once. */
export async function signOutEverywhere(hub: Hub, accountId: number): Promise<void> {
  await hub.db.prisma.account.updateMany({ where: { id: accountId }, data: { sessionVersion: { increment: 1 } } });
}

/**
 * Suspends or reactivates an account. Its keys stop working at once; accepted generations still run. Its sessions end
 * permanently, so that none of them resumes when the account is reactivated.
 */
export async function suspendAccount(hub: Hub, email: string, suspended: boolean): Promise<void> {
  const { id } = await getAccount(hub, email);
  await hub.db.prisma.account.update({
    where: { id },
    data: { suspended, sessionVersion: { increment: 1 } },
    select: { id: true },
  });
}
