import type { Hub } from "../../context";
import { isAppError } from "../../errors";
import { normalizeEmail } from "../accounts/account";
import { findByIdentity, type Identity, linkIdentity } from "../sessions/identity";
import { openAccount } from "./open-account";

/** Why a sign-in by identity was rejected; the sign-in page shows a text for each. */
export type SignInRejection = "unverified" | "taken" | "closed" | "suspended";

/**
 * Signs in a person whom an identity provider has authenticated: to the linked account, to the account with their
 * verified address, or to a new account when sign-up is open. An account whose address is unverified is never linked.
 */
export async function signInByIdentity(hub: Hub, identity: Identity): Promise<"welcome" | SignInRejection> {
  if (await findByIdentity(hub, identity)) return "welcome";
  if (identity.verifiedEmail === null) return "unverified";
  const account = await findOrCreate(hub, normalizeEmail(identity.verifiedEmail));
  if (typeof account === "string") return account;
  await linkIdentity(hub, identity, account.id);
  return (await findByIdentity(hub, identity)) ? "welcome" : "suspended";
}

async function findOrCreate(hub: Hub, email: string): Promise<{ id: number } | SignInRejection> {
  const account = await hub.db.prisma.account.findUnique({
    where: { email },
    select: { id: true, emailVerifiedAt: true, suspended: true },
  });
  if (account?.suspended) return "suspended";
  if (account) return account.emailVerifiedAt ? account : "taken";
  if (hub.env.SIGN_UP === "closed") return "closed";
  const id = await openAccount(hub, { email, verified: true }).catch((error: unknown) => {
    // The account was created concurrently, or the address is invalid.
    if (isAppError(error)) return null;
    throw error;
  });
  if (id !== null) return { id };
  return (await hub.db.prisma.account.findUnique({ where: { email } })) ? findOrCreate(hub, email) : "unverified";
}
