import type { Hub } from "../../context";
import { int4 } from "../../db/column-types";
import { statement } from "../../db/statement";
import { isAppError } from "../../errors";
import { createAccount, normalizeEmail } from "../accounts/account";
import type { SignedIn } from "./sign-in";

/** A person as an identity provider knows them. */
export interface Identity {
  provider: string;
  subject: string;
  /** Null unless the provider has verified the address. */
  verifiedEmail: string | null;
}

/** Why a sign-in by identity was rejected; the sign-in page shows a text for each. */
export type SignInRejection = "unverified" | "taken" | "closed" | "suspended";

/** Returns the account that is linked to this identity; null when there is none, or it is suspended. */
export async function findByIdentity(hub: Hub, { provider, subject }: Identity): Promise<SignedIn | null> {
  return hub.db.prisma.account.findFirst({
    where: { suspended: false, identities: { some: { provider, subject } } },
    select: { id: true, email: true, sessionVersion: true },
  });
}

/**
 * Signs in a person whom an identity provider has authenticated: to the linked account, to the account with their
 * verified address, or to a new account when sign-up is open. An account whose address is unverified is never linked.
 */
export async function signInByIdentity(hub: Hub, identity: Identity): Promise<"welcome" | SignInRejection> {
  if (await findByIdentity(hub, identity)) return "welcome";
  if (identity.verifiedEmail === null) return "unverified";
  const account = await findOrCreate(hub, normalizeEmail(identity.verifiedEmail));
  if (typeof account === "string") return account;
  const { provider, subject } = identity;
  const data = { provider, subject, accountId: account.id, createdAt: hub.now() };
  await hub.db.prisma.identity.createMany({ data, skipDuplicates: true });
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
  const id = await createAccount(hub, { email, verified: true }).catch((error: unknown) => {
    // The account was created concurrently, or the address is invalid.
    if (isAppError(error)) return null;
    throw error;
  });
  if (id !== null) return { id };
  return (await hub.db.prisma.account.findUnique({ where: { email } })) ? findOrCreate(hub, email) : "unverified";
}

/** Removes every identity that is linked to the account `$1`. */
export const unlinkIdentities = statement({
  params: [int4],
  row: {},
  text: "DELETE FROM identity WHERE account_id = $1",
});
