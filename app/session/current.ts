import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { getHub } from "@/server/hub";
import type { Session } from "@/server/trpc/procedure";
import { readCaller } from "./caller";

/** Who asks for the page that is being rendered. Looked up once a request. */
export const findCaller = cache(async () => readCaller(await getHub(), await headers()));

/** The session of the page that is being rendered; without one the browser goes to sign in, and then back. */
export async function requireSession(): Promise<Session> {
  const { session } = await findCaller();
  if (session) return session;
  const here = (await headers()).get("x-hub-path") ?? "/overview";
  redirect(`/sign-in?next=${encodeURIComponent(here)}`);
}
