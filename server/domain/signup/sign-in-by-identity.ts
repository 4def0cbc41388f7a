import { isAppError } from "../../errors";
import { isStorable } from "../../lib/json/storable";
import { normalizeEmail } from "../../lib/normalize-email";
import { findByIdentity, type Identity, linkIdentity } from "../identities";
import type { SignupHub } from "./hub";
import { openAccount } from "./open-account";

/** Why a sign-in by identity was rejected. The sign-in page has a text for each. */
export type SignInRejection = "malformed" | "unverified" | "taken" | "closed" | "suspended" | "removed";

/**
 * Finds the person whom an identity provider has authenticated: the linked one, the one with the same verified address, or
 * a new one with an account if sign-up is open. A person whose address is unverified is never linked.
 */
export async function signInByIdentity(hub: SignupHub, identity: Identity): Promise<"welcome" | SignInRejection> {
  if (!isUsable(identity)) return "malformed";
  if (await findByIdentity(hub, identity)) return "welcome";
  if (identity.verifiedEmail === null) return "unverified";
  const person = await findOrCreate(hub, normalizeEmail(identity.verifiedEmail));
  if (typeof person === "string") return person;
  await linkIdentity(hub, identity, person.id);
  return (await findByIdentity(hub, identity)) ? "welcome" : "suspended";
}

const MAX_SUBJECT_CHARACTERS = 255;

/** Returns whether the hub can store an identity and compare its address with others. */
const isUsable = ({ subject, verifiedEmail }: Identity): boolean =>
  subject.length > 0 &&
  subject.length <= MAX_SUBJECT_CHARACTERS &&
  isStorable(subject) &&
  (verifiedEmail === null || /^[!-~]+$/.test(verifiedEmail));

async function findOrCreate(hub: SignupHub, email: string): Promise<{ id: number } | SignInRejection> {
  const person = await hub.db.prisma.person.findUnique({
    where: { email },
    select: { id: true, emailVerifiedAt: true, memberships: { select: { account: { select: { suspended: true } } } } },
  });
  if (person && person.memberships.length === 0) return "removed";
  if (person?.memberships.every(({ account }) => account.suspended)) return "suspended";
  if (person) return person.emailVerifiedAt ? person : "taken";
  if (hub.env.SIGN_UP === "closed") return "closed";
  await openAccount(hub, { email, verified: true }).catch((error: unknown) => {
    // The account was created concurrently, or the address is invalid.
    if (!isAppError(error)) throw error;
  });
  return (await hub.db.prisma.person.findUnique({ where: { email } })) ? findOrCreate(hub, email) : "unverified";
}
