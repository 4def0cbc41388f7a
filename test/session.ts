import { encode } from "next-auth/jwt";
import { beginSession } from "../server/domain/sessions/session";
import { SESSION_COOKIE, sessionSecret } from "../server/lib/session-token";
import type { TestHub } from "./hub";

/** Starts a session of the account, as signing in does, and returns its id. */
export async function newSession(hub: TestHub, account: number, browser = "Test"): Promise<string> {
  const signedIn = await hub.db.prisma.account.findUnique({ where: { id: account } });
  return (await beginSession(hub, signedIn!, browser))!;
}

/** Returns the cookie of an account that has just signed in, as next-auth makes it. */
export async function sessionCookie(hub: TestHub, account: number, changes: Record<string, unknown> = {}) {
  const now = Math.floor(hub.now().getTime() / 1000);
  const session = "session" in changes ? undefined : await newSession(hub, account);
  const token = { sub: String(account), session, began: now, seen: now, ...changes };
  return `${SESSION_COOKIE}=${await encode({ token, secret: sessionSecret(hub.secret) })}`;
}

/** Returns the headers that a page of the console sends. */
export const sessionHeaders = async (hub: TestHub, account: number): Promise<Record<string, string>> => ({
  cookie: await sessionCookie(hub, account),
  "x-requested-with": "XMLHttpRequest",
});
