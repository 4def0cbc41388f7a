import { z } from "zod";
import type { Hub } from "../../context";
import { invalidInput } from "../../errors";

const Email = z.email().max(254);

export interface AccountRequest {
  email: string;
  member?: boolean;
  passwordHash?: string;
  /** Whether the operator or an identity provider vouches for the address. */
  verified?: boolean;
}

/** Inserts an account with a balance of zero and returns its id. Throws a 400 when the address is invalid or taken. */
export async function createAccount(hub: Hub, request: AccountRequest): Promise<number> {
  const { member = false, passwordHash = null, verified = false } = request;
  const email = normalizeEmail(request.email);
  if (!Email.safeParse(email).success) throw invalidInput("email", "must be an e-mail address");
  const now = hub.now();
  const [account] = await hub.db.prisma.account.createManyAndReturn({
    data: { email, member, passwordHash, emailVerifiedAt: verified ? now : null, createdAt: now },
    skipDuplicates: true,
    select: { id: true },
  });
  if (!account) throw invalidInput("email", "has an account already");
  return account.id;
}

/** Returns the form in which e-mail addresses are stored and compared. */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase();
