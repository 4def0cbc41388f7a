import type { Hub } from "../../context";
import type { Queryable } from "../../db/client";
import { isAppError } from "../../errors";
import { createAccount, normalizeEmail } from "../accounts/create";
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
  const [row] = await hub.db.query<SignedIn>(
    `SELECT a.id, a.email, a.session_version FROM identity i JOIN account a ON a.id = i.account_id
     WHERE i.provider = $1 AND i.subject = $2 AND NOT a.suspended`,
    [provider, subject],
  );
  return row ?? null;
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
  await hub.db.query(
    "INSERT INTO identity (provider, subject, account_id, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
    [identity.provider, identity.subject, account.id, hub.now()],
  );
  return (await findByIdentity(hub, identity)) ? "welcome" : "suspended";
}

async function findOrCreate(hub: Hub, email: string): Promise<{ id: number } | SignInRejection> {
  const [account] = await hub.db.query<{ id: number; verified: boolean; suspended: boolean }>(
    "SELECT id, email_verified_at IS NOT NULL AS verified, suspended FROM account WHERE email = $1",
    [email],
  );
  if (account?.suspended) return "suspended";
  if (account) return account.verified ? account : "taken";
  if (hub.env.SIGN_UP === "closed") return "closed";
  const id = await createAccount(hub, { email, verified: true }).catch((error: unknown) => {
    // The account was created concurrently, or the address is invalid.
    if (isAppError(error)) return null;
    throw error;
  });
  if (id !== null) return { id };
  return (await hub.db.prisma.account.findUnique({ where: { email } })) ? findOrCreate(hub, email) : "unverified";
}

/** Removes every identity that is linked to an account. */
export async function unlinkIdentities(db: Queryable, accountId: number): Promise<void> {
  await db.query("DELETE FROM identity WHERE account_id = $1", [accountId]);
}
