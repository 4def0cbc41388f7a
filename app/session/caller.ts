import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { contextOf, type Hub } from "@/server/context";
import { resolveSession } from "@/server/domain/sessions/resolve-session";
import { clientAddress, CLIENT_HEADER } from "@/server/lib/client-address";
import { isOwnOrigin, readSession } from "@/server/lib/session-token";
import type { Caller, Session } from "@/server/trpc/procedure";
import { getHub } from "@/server/hub";

/** Returns the caller of the console. API keys and requests from other origins have no session. */
export async function readCaller(hub: Hub, headers: Headers): Promise<Caller> {
  const address = addressOf(hub, headers);
  if (headers.has("authorization") || !isOwnOrigin(hub.env.BASE_URL, headers)) return { hub, session: null, address };
  const isFromOwnPage = headers.has("origin");
  const claims = await readSession(hub.secret, headers);
  const open = claims && (await resolveSession(hub, claims));
  return {
    hub,
    session: open && contextOf(hub, open.account, open.actor, crypto.randomUUID()),
    address,
    isFromOwnPage,
  };
}

/** Returns the client address used for throttling sign-ins; null when the host does not provide it. */
export const addressOf = (hub: Hub, headers: Headers): string | null =>
  headers.get(CLIENT_HEADER) ?? clientAddress(null, headers, hub.env.TRUSTED_PROXIES);

/** Returns the caller of the page being rendered, resolved once per request. */
export const findCaller = cache(async () => readCaller(await getHub(), await headers()));

/** Returns the session of the page being rendered; without one, redirects to sign in and then back. */
export async function requireSession(): Promise<Session> {
  const { session } = await findCaller();
  if (session) return session;
  const here = (await headers()).get("x-hub-path") ?? "/overview";
  redirect(`/sign-in?next=${encodeURIComponent(here)}`);
}
