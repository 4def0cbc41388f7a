import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import type { Permission } from "@/server/context";
import type { PendingSession } from "@/server/domain/sessions";
import { getHub, getPageApi } from "@/server/hub";
import type { Session } from "@/server/trpc/procedure";
import { findPage } from "../shell/pages";

/** Returns the path of the page on which a session gives or sets up its second factor, and which then opens `next`. */
export const pendingPath = ({ stage }: PendingSession, next: string): string =>
  `/sign-in/${stage}?next=${encodeURIComponent(next)}`;

/** Returns the caller of the page being rendered, resolved once per request. */
export const findCaller = cache(async () => {
  const { readCaller } = await getPageApi();
  return readCaller(await getHub(), await headers());
});

/**
 * Returns the session of the page or route being rendered. Without one, redirects to sign in and then back; with a role
 * that does not allow the page, to a page that says so. `access` is for routes that are not pages of the console.
 */
export async function requireSession(access?: Permission): Promise<Session> {
  const { session, pending } = await findCaller();
  const here = (await headers()).get("x-hub-path") ?? "/overview";
  if (pending) redirect(pendingPath(pending, here));
  if (!session) redirect(`/sign-in?next=${encodeURIComponent(here)}`);
  const { isPermitted } = await getPageApi();
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
