import { bookColumnsSql, listDiscounting, readTerms } from "../../catalogue/books/account-terms";
import type { Account, AccountView, Actor, Ctx, HubParts, HubRole, Person, Role } from "../../context";
import type { SessionServices, SessionsHub } from "./hub";
import { createTouch, isTouchDue } from "../../db/touch";
import { array, bool, int4, int8, notNull, nullable, text, textOf, timestamptz, uuid } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import type { SessionClaims } from "../../lib/session-token";

const DAY_S = 86_400;
/** Seconds without a request after which a session ends. */
export const MAX_IDLE_S = 7 * DAY_S;
/** Seconds after sign-in at which a session ends, even when it is in use. */
export const MAX_SESSION_S = 30 * DAY_S;

/** How long after sign-in a second factor can be given. */
const PENDING_MS = 15 * 60_000;

/**
 * What a session still needs: a second factor at `verify`; setting one up at `enrol`, because one is required and the
 * person has none.
 */
export type SessionStage = "complete" | "verify" | "enrol";

/** A session that acts for an account. */
interface ResolvedSession {
  stage: "complete";
  account: Account;
  actor: SessionActor;
}

/** A session that acts for nobody until a second factor is given or set up. */
export interface PendingSession {
  stage: "verify" | "enrol";
  sessionId: string;
  /** The account that the session will act for. */
  accountId: number;
  person: Pick<Person, "id" | "email">;
  /** When the person signed in, at the stage `enrol`; null at `verify`. */
  provedAt: Date | null;
}

/** A person who is signed in. */
type SessionActor = Required<Extract<Actor, { kind: "user" }>>;

/** The context of a request with a session. */
export type SessionCtx<H> = Ctx<H> & { actor: SessionActor };

/**
 * Returns the account and actor of a session; null while a second factor is missing, and for sessions that `findSession`
 * does not find.
 */
export async function resolveSession(hub: SessionsHub, claims: SessionClaims): Promise<ResolvedSession | null> {
  const session = await findSession(hub, claims);
  return session?.stage === "complete" ? session : null;
}

/**
 * Returns a session at any stage; null if it has expired or was ended, its account is or was suspended, or its person is
 * no longer a member. Runs one statement and caches nothing, so the end of a session, a changed role and a newly required
 * second factor apply to the very next request.
 */
export async function findSession(
  hub: SessionsHub,
  { sessionId, began, seen }: SessionClaims,
): Promise<ResolvedSession | PendingSession | null> {
  const now = hub.now();
  const seconds = Math.floor(now.getTime() / 1000);
  if (seconds - seen > MAX_IDLE_S || seconds - began > MAX_SESSION_S) return null;
  const isRequired = hub.env.SECOND_FACTOR === "required";
  const [row] = await selectSession(hub.db, sessionId, now, isRequired, listDiscounting(hub));
  if (!row) return null;
  if (row.stage !== "complete") {
    if (now.getTime() - row.pending_since.getTime() > PENDING_MS) return null;
    return {
      stage: row.stage,
      sessionId,
      accountId: row.own_account_id,
      person: { id: row.person_id, email: row.person_email },
      provedAt: row.proved_at,
    };
  }
  const view = readView(row);
  // Viewing an account must not write anything.
  if (!view && isTouchDue(row.last_seen_at, now)) hub.services.touchSession(sessionId);
  const { id, email, name, member, balance, promotional, reserved, reply_retention_days: replyRetentionDays } = row;
  const { keeps_nothing: keepsNothing, closes_at: closesAt } = row;
  const person = {
    id: row.person_id,
    email: row.person_email,
    isVerified: row.is_verified,
    role: row.role,
    hubRole: row.hub_role,
  };
  const terms = (await readTerms(hub, [row]))(row);
  return {
    stage: "complete",
    account: {
      id,
      email,
      name,
      member,
      balance,
      promotional,
      reserved,
      terms,
      replyRetentionDays,
      keepsNothing,
      closesAt,
    },
    actor: { kind: "user", sessionId, person, view, provedAt: row.proved_at },
  };
}

/** Returns the services of sessions. */
export const createSessionServices = (hub: Pick<HubParts, "db" | "log" | "now">): SessionServices => ({
  touchSession: createTouch(hub, "session.last_seen_at"),
});

const readView = ({ view_until: until, shows_content, own_account_id }: SessionRow): AccountView | null =>
  until && { until, showsContent: shows_content === true, ownAccountId: own_account_id };

const sessionColumns = {
  id: int4,
  email: text,
  name: nullable(text),
  member: bool,
  balance: int8,
  promotional: int8,
  reserved: int8,
  reply_retention_days: nullable(int4),
  closes_at: nullable(timestamptz),
  keeps_nothing: bool,
  book: nullable(text),
  month_volume: notNull(int8),
  person_id: int4,
  person_email: text,
  is_verified: bool,
  hub_role: nullable(textOf<HubRole>()),
  role: textOf<Role>(),
  last_seen_at: timestamptz,
  view_until: nullable(timestamptz),
  shows_content: nullable(bool),
  own_account_id: int4,
  stage: textOf<SessionStage>(),
  proved_at: nullable(timestamptz),
  pending_since: timestamptz,
};
type SessionRow = RowOf<typeof sessionColumns>;

/** Returns SQL for whether the person with the id `person` has a second factor. */
export const hasFactorSql = (person: string) =>
  `(EXISTS (SELECT FROM passkey k WHERE k.person_id = ${person})
     OR EXISTS (SELECT FROM totp t WHERE t.person_id = ${person} AND t.secret IS NOT NULL))`;

// A suspended account can be viewed, but nobody acts for it. A person with a second factor is verified by that alone.
const selectSession = statement({
  params: [uuid, timestamptz, bool, array(text)],
  row: sessionColumns,
  text: `
    SELECT a.id, a.email, a.name, a.member, a.balance, a.promotional, a.reserved, a.reply_retention_days, a.keeps_nothing, a.closes_at, p.id AS person_id,
           p.email AS person_email, p.email_verified_at IS NOT NULL AS is_verified, p.hub_role, m.role, s.last_seen_at,
           v.expires_at AS view_until, v.shows_content, own.id AS own_account_id,
           CASE WHEN NOT has_factor THEN CASE WHEN is_demanded THEN 'enrol' ELSE 'complete' END
                WHEN s.verified_at IS NULL AND (s.first_step = 'password' OR is_demanded) THEN 'verify'
                ELSE 'complete' END AS stage,
           CASE WHEN has_factor THEN s.verified_at ELSE greatest(s.verified_at, s.first_step_at) END AS proved_at,
           coalesce(s.switched_at, s.created_at) AS pending_since,
           ${bookColumnsSql({ account: "a", now: "$2", discounting: "$4" })}
    FROM session s JOIN account own ON own.id = s.account_id AND own.session_version = s.version AND NOT own.suspended
    JOIN person p ON p.id = s.person_id AND p.session_version = s.person_version
    JOIN membership m ON m.account_id = own.id AND m.person_id = p.id
    CROSS JOIN LATERAL (
      SELECT own.requires_second_factor OR $3 OR p.hub_role IS NOT NULL AS is_demanded,
             ${hasFactorSql("s.person_id")} AS has_factor
    ) factor
    LEFT JOIN account_view v ON v.session_id = s.id AND v.ended_at IS NULL AND v.expires_at > $2 AND p.hub_role IS NOT NULL
    JOIN account a ON a.id = coalesce(v.account_id, own.id)
    WHERE s.id = $1`,
});
