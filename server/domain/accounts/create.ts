import { z } from "zod";
import type { Hub } from "../../context";
import { invalidInput } from "../../errors";

const Email = z.email().max(254);

export interface AccountRequest {
  email: string;
  member?: boolean;
  passwordHash?: string;
  /** The address is known to be the account's own: the operator says so, or the service that it signs in by. */
  verified?: boolean;
}

/** Makes an account with nothing on it, and answers its id. 400 when the address is not one, or is taken. */
export async function createAccount(hub: Hub, request: AccountRequest): Promise<number> {
  const { member = false, passwordHash = null, verified = false } = request;
  const email = normalizeEmail(request.email);
  if (!Email.safeParse(email).success) throw invalidInput("email", "must be an e-mail address");
  const now = hub.now();
  const [account] = await hub.db.query<{ id: number }>(
    `INSERT INTO account (email, member, password_hash, email_verified_at, created_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (email) DO NOTHING RETURNING id`,
    [email, member, passwordHash, verified ? now : null, now],
  );
  if (!account) throw invalidInput("email", "has an account already");
  return account.id;
}

/** The form in which addresses are kept and compared. */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase();
