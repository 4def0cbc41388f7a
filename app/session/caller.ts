import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { contextOf, type Hub, type Permission } from "@/server/context";
import { isPermitted } from "@/server/domain/people/role";
import { findSession, type PendingSession } from "@/server/domain/sessions/resolve-session";
import { clientAddress, CLIENT_HEADER } from "@/server/lib/client-address";
import { isOwnOrigin, readSession } from "@/server/lib/session-token";
import type { Caller, Session } from "@/server/trpc/procedure";
import { getHub } from "@/server/hub";
import { findPage } from "../shell/pages";

/** Returns the caller of the console. API keys and requests from other origins have no session. */
export async function readCaller(hub: Hub, headers: Headers): Promise<Caller> {
  const address = addressOf(hub, headers);
  if (headers.has("authorization") || !isOwnOrigin(hub.env.BASE_URL, headers)) return { hub, session: null, address };
  const isFromOwnPage = headers.has("origin");
  const claims = await readSession(hub, headers);
  const found = claims && (await findSession(hub, claims));
  if (found && found.stage !== "complete") return { hub, session: null, pending: found, address, isFromOwnPage };
  const session = found && contextOf(hub, found.account, found.actor, crypto.randomUUID());
  return { hub, session, address, isFromOwnPage };
}

/** Returns the page on which a session gives or sets up its second factor, and then opens `next`. */
export const pendingPath = ({ stage }: PendingSession, next: string): string =>
  `/sign-in/${stage}?next=${encodeURIComponent(next)}`;

/** Returns the client address used for throttling sign-ins; null when the host does not provide it. */
export const addressOf = (hub: Hub, headers: Headers): string | null =>
  headers.get(CLIENT_HEADER) ?? clientAddress(null, headers, hub.env.TRUSTED_PROXIES);

/** Returns the caller of the page being rendered, resolved once per request. */
export const findCaller = cache(async () => readCaller(await getHub(), await headers()));

/**
 * Returns the session of the page or route being rendered. Without one, redirects to sign in and then back; with a role
 * that does not allow the page, to a page that says so. `access` is for routes that are no page of the console.
 */
export async function requireSession(access?: Permission): Promise<Session> {
  const { session, pending } = await findCaller();
  const here = (await headers()).get("x-hub-path") ?? "/overview";
  if (pending) redirect(pendingPath(pending, here));
  if (!session) redirect(`/sign-in?next=${encodeURIComponent(here)}`);
  const needed = access ?? findPage(here)?.access ?? "self";
  if (!isPermitted(session.actor, needed)) redirect("/no-access");
  return session;
}

/** Returns the session of a route that changes or exports something, which views of an account may not. */
export async function requireOwnSession(access: Permission): Promise<Session> {
  const session = await requireSession(access);
  if (session.actor.view) redirect("/no-access");
  return session;
}
