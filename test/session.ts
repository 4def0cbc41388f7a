import { encode } from "next-auth/jwt";
import { SESSION_COOKIE, sessionSecret } from "../server/lib/session-token";
import type { TestHub } from "./hub";

/** The cookie of an account that has just signed in, as next-auth makes it. */
export async function sessionCookie(hub: TestHub, account: number, changes: Record<string, unknown> = {}) {
  const [row] = await hub.db.query<{ session_version: number }>("SELECT session_version FROM account WHERE id = $1", [
    account,
  ]);
  const now = Math.floor(hub.now().getTime() / 1000);
  const token = { sub: String(account), version: row!.session_version, began: now, seen: now, ...changes };
  return `${SESSION_COOKIE}=${await encode({ token, secret: sessionSecret(hub.secret) })}`;
}

/** The headers by which a page of the console calls. */
export const sessionHeaders = async (hub: TestHub, account: number): Promise<Record<string, string>> => ({
  cookie: await sessionCookie(hub, account),
  "x-requested-with": "XMLHttpRequest",
});
