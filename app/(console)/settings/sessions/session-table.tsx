"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSignOut } from "../../../shell/sign-out-button";
import { useTRPC } from "../../../trpc/client";
import type { Outputs } from "../../../trpc/outputs";
import { useHubMutation } from "../../../trpc/use-hub-mutation";
import { Badge } from "../../../ui/badge";
import { Button } from "../../../ui/button";
import { Confirm } from "../../../ui/dialog";
import { ActionTable, Td } from "../../../ui/table";
import { TimeAgo } from "../../../ui/values";

type Session = Outputs["sessions"]["list"][number];

export function SessionTable() {
  const { data: sessions = [] } = useQuery(useTRPC().sessions.list.queryOptions());
  const [ending, setEnding] = useState<Session | null>(null);
  const end = useEndSession();
  return (
    <>
      <ActionTable
        label="Sessions"
        columns={[
          { title: "Browser" },
          { title: "Last seen", className: "max-sm:hidden" },
          { title: "Signed in", className: "max-sm:hidden" },
        ]}
      >
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} onEnd={() => setEnding(session)} />
        ))}
      </ActionTable>
      <Confirm
        open={ending !== null}
        onOpenChange={() => setEnding(null)}
        title={ending?.is_current ? "Sign out here?" : "End this session?"}
        verb={ending?.is_current ? "Sign out" : "End session"}
        onConfirm={() => ending && end(ending)}
      >
        {ending?.is_current
          ? "This browser signs out and returns to the sign-in page."
          : `${ending?.browser} will have to sign in again.`}
      </Confirm>
    </>
  );
}

/** Returns the function that ends a session; for this browser's own session it signs out. */
function useEndSession(): (session: Session) => void {
  const signOutHere = useSignOut();
  const end = useHubMutation((trpc) => trpc.sessions.end, {
    invalidates: (trpc) => [trpc.sessions.list.queryFilter()],
    successToast: "Session ended.",
  });
  return ({ id, is_current }) => (is_current ? signOutHere.mutate() : end.mutate({ id }));
}

function SessionRow({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const { browser, is_current, last_seen_at, created_at } = session;
  return (
    <tr>
      <Td className="max-sm:w-full max-sm:max-w-0 max-sm:pr-0">
        <span className="flex flex-wrap items-center gap-2">
          <span className="truncate font-medium">{browser}</span>
          {is_current && <Badge tone="accent">This browser</Badge>}
        </span>
        <span className="mt-1 block text-xs text-soft sm:hidden">
          Last seen <TimeAgo at={last_seen_at} />
        </span>
      </Td>
      <Td className="text-soft max-sm:hidden">
        <TimeAgo at={last_seen_at} />
      </Td>
      <Td className="text-soft max-sm:hidden">
        <TimeAgo at={created_at} />
      </Td>
      <Td className="text-right">
        <Button onClick={onEnd} aria-label={is_current ? "Sign out of this browser" : `End session of ${browser}`}>
          {is_current ? "Sign out" : "End"}
        </Button>
      </Td>
    </tr>
  );
}
