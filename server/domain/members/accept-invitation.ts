import type { Person, Role } from "../../context";
import type { Queryable } from "../../db/client";
import { bool, bytea, notNull, nullable, text, textOf, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError, invalidInput } from "../../errors";
import { addMember, createPerson } from "../people";
import { hasAccountSql } from "../people/sql";
import { hashInTurn, hashToken } from "../passwords";
import { networkCounters, throttleAttempts } from "../rates";
import { announceRevoked, NOTHING_REVOKED, type RevokedAccess, runSecuring, securePerson } from "../recovery";
import { acceptLink } from "./accept-link";
import { consumeInvitation } from "./consume-invitation";
import type { MembersHub } from "./hub";

/** An invitation as the page of its link shows it. */
interface FoundInvitation {
  /** Its name; without one, its contact address. */
  account: string;
  /** Null for a link, which whoever opens it first may use. */
  email: string | null;
  role: Role;
  invitedBy: string;
  /** Whether the invited person must sign in to accept. */
  signsIn: boolean;
}

/**
 * Returns the invitation of a link. Throws a 400 for a token that is unknown, used, expired or withdrawn, and a 429 after
 * too many attempts.
 */
export async function findInvitation(hub: MembersHub, token: string, address: string | null): Promise<FoundInvitation> {
  const found = await throttleAttempts(hub, networkCounters(hub, address), async () => {
    const [row] = await selectByHash(hub.db, hashToken(token), hub.now());
    return row ?? null;
  });
  if (!found) throw tokenError();
  const { account, email, role, invited_by: invitedBy, signs_in } = found;
  return { account, email, role, invitedBy, signsIn: signs_in === true };
}

const selectByHash = statement({
  params: [bytea, timestamptz],
  row: {
    account: notNull(text),
    email: nullable(text),
    role: textOf<Role>(),
    invited_by: text,
    signs_in: nullable(bool),
  },
  text: `
    SELECT coalesce(a.name, a.email) AS account, i.email, i.role, inviter.email AS invited_by,
           (SELECT p.email_verified_at IS NOT NULL AND ${hasAccountSql("p.id")} FROM person p WHERE p.email = i.email) AS signs_in
    FROM invitation i JOIN account a ON a.id = i.account_id JOIN person inviter ON inviter.id = i.invited_by
    WHERE i.hash = $1 AND i.expires_at > $2`,
});

/**
 * Accepts the invitation of a link, which works once. A person whose address is verified must be signed in, unless they
 * have no account to sign in to; others choose a password, and whoever signed up with the unverified address before loses
 * access. A link that names nobody is accepted
 * as `acceptLink` does. Throws a 400 for an invalid token or password, a 401 for a person who has to sign in, and a 429
 * after too many attempts.
 */
export async function acceptInvitation(
  hub: MembersHub,
  request: { token: string; email?: string; password?: string },
  person: Person | null,
  address: string | null,
): Promise<{ email: string }> {
  const { email, signsIn } = await findInvitation(hub, request.token, address);
  if (email === null) {
    const accepted = await acceptLink(hub, request, person, address);
    if (!accepted) throw tokenError();
    return accepted;
  }
  if (signsIn && person?.email !== email) throw new AppError("unauthorized", `Sign in as ${email} to accept.`);
  const passwordHash = signsIn ? null : await hashInTurn(hub, request.password ?? "", address);
  const hash = hashToken(request.token);
  const revoked = await runSecuring(hub, (tx) => acceptInTransaction(tx, email, hash, passwordHash, hub.now()));
  if (!revoked) throw tokenError();
  await announceRevoked(hub, revoked);
  return { email };
}

const tokenError = () => invalidInput("token", "was used already, has expired, or was withdrawn; ask for a new one");

/** Accepts the invitation; returns null if it was used or withdrawn meanwhile. */
async function acceptInTransaction(
  tx: Queryable,
  email: string,
  hash: Buffer,
  passwordHash: string | null,
  now: Date,
): Promise<RevokedAccess | null> {
  const [accepted] = await consumeInvitation(tx, hash, now);
  if (!accepted) return null;
  const { account_id: accountId, role } = accepted;
  const person = await createPerson(tx, email, now);
  // Meanwhile the address was verified or the last account was left, so accepting needs a session or a password now.
  const signsIn = person.verified && person.has_account;
  if (signsIn === (passwordHash !== null)) throw tokenError();
  const revoked = passwordHash === null ? NOTHING_REVOKED : await securePerson(tx, person, passwordHash, now);
  await addMember(tx, accountId, person.id, role, now);
  return revoked;
}
