import { encode } from "next-auth/jwt";
import { contextOf } from "../server/context";
import { beginSession, markVerified } from "../server/domain/sessions/session";
import { resolveSession, type SessionCtx } from "../server/domain/sessions/resolve-session";
import { SESSION_COOKIE, sessionSecret } from "../server/lib/session-token";
import type { Hub } from "../server/domain/hub";
import type { TestHub } from "./hub";

/** Gives a person an authenticator app that nobody has, for those who need a second factor. */
export const giveFactor = (hub: Hub, personId: number): Promise<unknown> =>
  hub.db.prisma.totp.createMany({
    data: { personId, secret: new Uint8Array(32), addedAt: hub.now(), lastStep: 0n },
    skipDuplicates: true,
  });

/** Starts a session of the account's owner, as signing in with a second factor does, and returns its id. */
export async function newSession(hub: Hub, account: number, browser = "Test"): Promise<string> {
  const owner = { memberships: { some: { accountId: account, role: "owner" } } };
  const signedIn = await hub.db.prisma.person.findFirstOrThrow({ where: owner });
  if (signedIn.hubRole) await giveFactor(hub, signedIn.id);
  const session = (await beginSession(hub, signedIn, browser))!;
  await markVerified(hub.db, session, hub.now());
  return session;
}

/** Returns the context of a request of the account's owner, who has just signed in. */
export async function ownerSession(hub: TestHub, account: number): Promise<SessionCtx<TestHub>> {
  const seconds = Math.floor(hub.now().getTime() / 1000);
  const sessionId = await newSession(hub, account);
  const session = await resolveSession(hub, { sessionId, began: seconds, seen: seconds });
  return contextOf(hub, session!.account, session!.actor, "test");
}

/** Returns the cookie of an account that has just signed in, as next-auth makes it. */
export async function sessionCookie(hub: Hub, account: number, changes: Record<string, unknown> = {}) {
  const now = Math.floor(hub.now().getTime() / 1000);
  const session = "session" in changes ? undefined : await newSession(hub, account);
  const token = { sub: String(account), session, began: now, seen: now, ...changes };
  return `${SESSION_COOKIE}=${await encode({ token, secret: sessionSecret(hub.secret) })}`;
}

/** Returns the headers that a page of the console sends. */
export const sessionHeaders = async (hub: Hub, account: number): Promise<Record<string, string>> => ({
  cookie: await sessionCookie(hub, account),
  "x-requested-with": "XMLHttpRequest",
});
