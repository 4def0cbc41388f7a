import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { getHub } from "@/server/hub";
import type { Session } from "@/server/trpc/procedure";
import { readCaller } from "./caller";

/** Returns the caller of the page being rendered, resolved once per request. */
export const findCaller = cache(async () => readCaller(await getHub(), await headers()));

/** Returns the session of the page being rendered; without one, redirects to sign in and then back. */
export async function requireSession(): Promise<Session> {
  const { session } = await findCaller();
  if (session) return session;
  const here = (await headers()).get("x-hub-path") ?? "/overview";
  redirect(`/sign-in?next=${encodeURIComponent(here)}`);
}
