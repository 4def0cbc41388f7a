import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { requireSession } from "../../session/caller";
import { Frame } from "../../shell/frame";

/** Lays out the operator's console, which does not exist for anybody else. */
export default async function AdminLayout({ children }: { children: ReactNode }) {
  const session = await requireSession("self");
  if (!session.actor.person.hubRole) notFound();
  return (
    <Frame session={session} area="admin">
      {children}
    </Frame>
  );
}
