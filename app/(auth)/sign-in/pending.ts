import { redirect } from "next/navigation";
import type { SessionStage } from "@/server/domain/sessions";
import { getPageApi } from "@/server/hub";
import { findCaller, pendingPath } from "../../session/caller";
import { nextPath } from "../../session/next-path";

interface Props {
  searchParams: Promise<{ next?: string | string[] }>;
}

/** Returns the factors of a session at this stage, and the page to open next; redirects any other session. */
export async function requirePending(stage: SessionStage, { searchParams }: Props) {
  const next = nextPath((await searchParams).next);
  const { hub, session, pending } = await findCaller();
  if (session) redirect(next);
  if (!pending) redirect(`/sign-in?next=${encodeURIComponent(next)}`);
  if (pending.stage !== stage) redirect(pendingPath(pending, next));
  const { listFactors } = await getPageApi();
  return { factors: await listFactors({ hub, ...pending }), email: pending.person.email, next };
}
