import { listDiscounting, readTerms, type TermsHub } from "../../catalogue/books/account-terms";
import type { Account, AccountView, Actor, Ctx, HubParts, Person } from "../../context";
import { createTouch, isTouchDue } from "../../db/touch";
import { createBatcher } from "../../lib/batch";
import type { SessionClaims } from "../../lib/session-token";
import type { SessionServices, SessionsHub } from "./hub";
import { selectSessions, type SessionRow } from "./select-sessions";

const DAY_S = 86_400;
/** Seconds without a request after which a session ends. */
export const MAX_IDLE_S = 7 * DAY_S;
/** Seconds after sign-in at which a session ends, even when it is in use. */
export const MAX_SESSION_S = 30 * DAY_S;

/** How long after sign-in a second factor can be given. */
const PENDING_MS = 15 * 60_000;

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
 * Returns a session at any stage; null if it has expired or was ended, its account is or was suspended, or its person is no
 * longer a member. Concurrent calls share one statement, and nothing is cached, so the end of a session, a changed role and
 * a newly required second factor apply to the very next request.
 */
export async function findSession(
  hub: SessionsHub,
  { sessionId, began, seen }: SessionClaims,
): Promise<ResolvedSession | PendingSession | null> {
  const now = hub.now();
  const seconds = Math.floor(now.getTime() / 1000);
  if (seconds - seen > MAX_IDLE_S || seconds - began > MAX_SESSION_S) return null;
  const row = await hub.services.selectSession(sessionId);
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
export const createSessionServices = (
  hub: Pick<HubParts, "db" | "env" | "log" | "now"> & Pick<TermsHub, "books">,
): SessionServices => ({
  touchSession: createTouch(hub, "session.last_seen_at"),
  selectSession: createBatcher(async (ids) => {
    const isRequired = hub.env.SECOND_FACTOR === "required";
    const rows = await selectSessions(hub.db, ids, hub.now(), isRequired, listDiscounting(hub));
    const byId = new Map(rows.map((row) => [row.session_id, row]));
    return ids.map((id) => byId.get(id));
  }),
});

const readView = ({ view_until: until, shows_content, own_account_id }: SessionRow): AccountView | null =>
  until && { until, showsContent: shows_content === true, ownAccountId: own_account_id };
