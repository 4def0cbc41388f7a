import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { requireSession } from "../../session/caller";
import { Frame } from "../../shell/frame";

/** Lays out the operators' console; everybody else gets the 404 page. */
export default async function AdminLayout({ children }: { children: ReactNode }) {
  const session = await requireSession("self");
  if (!session.actor.person.hubRole) notFound();
  return (
    <Frame session={session} area="admin">
      {children}
    </Frame>
  );
}
