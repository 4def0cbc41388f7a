import { randomBytes } from "node:crypto";
import type { Ctx, Person, Role } from "../../context";
import { bool, bytea, int4, nullable, text, textOf, timestamptz, uuid } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import { AppError, invalidInput } from "../../errors";
import { isId, newId } from "../../lib/id";
import { getMailer } from "../../lib/mail";
import { lockForManagerSql } from "../accounts/sql";
import { checkEmail } from "../people";
import { hashToken } from "../passwords";
import { rateLimitedError } from "../rates";
import type { SessionCtx } from "../sessions";
import type { MembersHub } from "./hub";

const DAY_MS = 86_400_000;
const LINK_TTL_MS = 7 * DAY_MS;
const MIN_INTERVAL_MS = 60_000;
/** Open invitations per account. */
const MAX_INVITATIONS = 50;

const columns = {
  id: uuid,
  /** Null for a link to copy. */
  email: nullable(text),
  role: textOf<Role>(),
  invited_by: text,
  sent_at: timestamptz,
  expires_at: timestamptz,
};

/** Returns the account's invitations that were not accepted, including expired ones, newest first. */
export const listInvitations = ({ hub, account }: Ctx<MembersHub>): Promise<RowOf<typeof columns>[]> =>
  selectInvitations(hub.db, account.id);

const selectInvitations = statement({
  params: [int4],
  row: columns,
  text: `
    SELECT i.id, i.email, i.role, p.email AS invited_by, i.sent_at, i.expires_at
    FROM invitation i JOIN person p ON p.id = i.invited_by WHERE i.account_id = $1 ORDER BY i.id DESC`,
});

/**
 * Invites a person by e-mail to become a member. The link in the e-mail is valid for seven days. Throws a 400 for an address
 * that is invalid, invited or a member's, a 401 if the session has ended or may no longer invite, a 409 while the inviter's
 * own address is unverified or 50 invitations are open, a 429 after several invitations to the address, and a 503 if the
 * e-mail is not sent; `resendInvitation` then sends it.
 */
export async function inviteMember(ctx: SessionCtx<MembersHub>, request: { email: string; role: Role }): Promise<void> {
  const { hub, actor } = ctx;
  const email = checkEmail(request.email);
  checkCanSend(hub);
  checkCanInvite(hub, actor.person);
  await limitInvitations(hub, email);
  const { token } = await createInvitation(ctx, email, request.role);
  await mailLink(ctx, email, request.role, token);
}

/**
 * Invites whoever opens the returned link first to become a member. The hub stores only its hash, and it is valid for seven
 * days. Throws a 401 if the session has ended or may no longer invite, and a 409 while the inviter's own address is
 * unverified although the hub sends e-mail, or 50 invitations are open.
 */
export async function createInvitationLink(ctx: SessionCtx<MembersHub>, role: Role): Promise<{ link: string }> {
  checkCanInvite(ctx.hub, ctx.actor.person);
  const { token } = await createInvitation(ctx, null, role);
  return { link: linkOf(ctx.hub, token) };
}

async function createInvitation({ hub, account, actor }: SessionCtx<MembersHub>, email: string | null, role: Role) {
  const { hash, sentAt, expiresAt, token } = newToken(hub.now());
  const [outcome] = await hub.db.transaction(async (tx) => {
    const [manager] = await lockForManager(tx, account.id, actor.sessionId);
    if (!manager) throw new AppError("unauthorized", "This session has ended.");
    return insertInvitation(tx, newId(), account.id, email, role, hash, actor.person.id, sentAt, expiresAt);
  });
  if (outcome?.is_member) throw invalidInput("email", "is a member of this account already");
  if (outcome?.is_invited) throw invalidInput("email", "is invited already; send the invitation again instead");
  if (!outcome?.is_inserted)
    throw new AppError("invalid_state", `An account can have ${MAX_INVITATIONS} open invitations. Withdraw one first.`);
  return { token };
}

/**
 * Locks the account `$1` if the session `$2` may invite people. Whatever ends this right waits for the lock, and then finds
 * the invitation.
 */
const lockForManager = statement({
  params: [int4, uuid],
  row: { id: int4, person_id: int4 },
  text: lockForManagerSql("$1", "$2"),
});

// Runs under the lock of the account, so that concurrent invitations do not exceed the maximum together.
const insertInvitation = statement({
  params: [uuid, int4, nullable(text), text, bytea, int4, timestamptz, timestamptz],
  row: { is_member: bool, is_invited: bool, is_inserted: bool },
  text: `
    WITH known_member AS (
      SELECT FROM membership m JOIN person p ON p.id = m.person_id WHERE m.account_id = $2 AND p.email = $3
    ),
    known AS (SELECT FROM invitation WHERE account_id = $2 AND email = $3),
    inserted AS (
      INSERT INTO invitation (id, account_id, email, role, hash, invited_by, created_at, sent_at, expires_at)
      SELECT $1, $2, $3, $4, $5, $6, $7, $7, $8
      WHERE NOT EXISTS (SELECT FROM known_member)
        AND (SELECT count(*) FROM invitation WHERE account_id = $2) < ${MAX_INVITATIONS}
      ON CONFLICT (account_id, email) DO NOTHING RETURNING id
    )
    SELECT EXISTS (SELECT FROM known_member) AS is_member, EXISTS (SELECT FROM known) AS is_invited,
           EXISTS (SELECT FROM inserted) AS is_inserted`,
});

/** Throws a 429 after too many invitations to one address, from all accounts together. */
async function limitInvitations(hub: MembersHub, email: string): Promise<void> {
  const { allowed, waitMs } = await hub.services.rateLimits.invitations.consume(email);
  if (!allowed)
    throw rateLimitedError(waitMs, "This address was sent several invitations. Wait before you send another.");
}

const sendsMail = ({ env }: MembersHub): boolean => getMailer(env).send !== null;

/** Throws a 409 unless the hub sends e-mail. */
function checkCanSend(hub: MembersHub): void {
  if (!sendsMail(hub))
    throw new AppError("invalid_state", "This hub sends no e-mail. Create an invitation link instead.");
}

/** Returns whether the person may invite others: not while they could verify their own address and have not. */
export const canInvite = (hub: MembersHub, { isVerified }: Person): boolean => isVerified || !sendsMail(hub);

/** Throws a 409 unless the person may invite others. */
function checkCanInvite(hub: MembersHub, person: Person): void {
  if (!canInvite(hub, person))
    throw new AppError("invalid_state", "Verify your own e-mail address before you invite others.");
}

/**
 * Sends an invitation again with a new link, which replaces the old one. Throws a 404 if it is not the account's or was
 * not sent, a 429 if it was sent within the last minute, and as `inviteMember` does.
 */
export async function resendInvitation(ctx: SessionCtx<MembersHub>, id: string): Promise<void> {
  const { hub, account, actor } = ctx;
  checkCanSend(hub);
  checkCanInvite(hub, actor.person);
  const link = newToken(hub.now());
  const known = isId(id) ? await hub.db.prisma.invitation.findFirst({ where: { id, accountId: account.id } }) : null;
  if (!known?.email) throw notFoundError();
  await limitInvitations(hub, known.email);
  const due = new Date(link.sentAt.getTime() - MIN_INTERVAL_MS);
  const [renewed] = await renewLink(hub.db, id, account.id, link.hash, link.sentAt, link.expiresAt, due);
  if (!renewed)
    throw rateLimitedError(MIN_INTERVAL_MS, "This invitation was sent a moment ago. Wait a minute and try again.");
  await mailLink(ctx, known.email, renewed.role, link.token);
}

const renewLink = statement({
  params: [uuid, int4, bytea, timestamptz, timestamptz, timestamptz],
  row: { role: textOf<Role>() },
  text: `
    UPDATE invitation SET hash = $3, sent_at = $4, expires_at = $5
    WHERE id = $1 AND account_id = $2 AND sent_at <= $6 RETURNING role`,
});

/** Withdraws an invitation, whose link stops working. Throws a 404 if it is not the account's, or was accepted. */
export async function withdrawInvitation({ hub, account }: Ctx<MembersHub>, id: string): Promise<void> {
  const where = { id, accountId: account.id };
  const { count } = isId(id) ? await hub.db.prisma.invitation.deleteMany({ where }) : { count: 0 };
  if (count === 0) throw notFoundError();
}

const notFoundError = () =>
  new AppError("resource_not_found", "There is no such invitation, or it was accepted or withdrawn.");

function newToken(now: Date) {
  const token = randomBytes(32).toString("base64url");
  return { token, hash: hashToken(token), sentAt: now, expiresAt: new Date(now.getTime() + LINK_TTL_MS) };
}

const linkOf = ({ env }: MembersHub, token: string): string => `${env.BASE_URL}/invitation?token=${token}`;

async function mailLink(
  { hub, account, actor }: SessionCtx<MembersHub>,
  to: string,
  role: Role,
  token: string,
): Promise<void> {
  const name = account.name ?? account.email;
  const text =
    `${actor.person.email} invites you to join ${name} at ${hub.env.BASE_URL}, as ${describeRole(role)}.\n\n` +
    `Accept within seven days:\n${linkOf(hub, token)}\n\n` +
    `If you don’t know what this is about, ignore this e-mail.\n`;
  try {
    await getMailer(hub.env).send?.({ to, subject: `Join ${name}`, text });
  } catch (error) {
    hub.log.error({ err: error }, "invitation not sent");
    throw new AppError("service_unavailable", "The e-mail could not be sent. Send the invitation again in a minute.");
  }
}

const describeRole = (role: Role): string => (role === "owner" ? "an owner" : `a member with the role ${role}`);
