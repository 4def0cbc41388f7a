"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useTRPC } from "../../trpc/client";
import { useMutationHandlers } from "../../trpc/use-mutation-handlers";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { PageHeader } from "../../ui/page-header";
import { ContactAddress } from "./contact-address";
import { InvitationTable } from "./invitation-table";
import { InviteMember } from "./invite-member";
import { MemberTable } from "./member-table";
import type { MemberList } from "./types";

export function Members() {
  const { data } = useQuery(useTRPC().members.list.queryOptions());
  const [isInviting, setInviting] = useState(false);
  if (!data) return null;
  const { members, invitations, obstacle } = data;
  const invite = (
    <Button kind="primary" disabled={obstacle !== null} onClick={() => setInviting(true)}>
      <Plus size={16} aria-hidden />
      Invite
    </Button>
  );
  return (
    <>
      <PageHeader title="Members" action={invite}>
        People who can act for this account. What they may do depends on their role.
      </PageHeader>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <Obstacle kind={obstacle} />
        <Card flush title="Members">
          <MemberTable members={members} />
        </Card>
        {invitations.length > 0 && (
          <Card flush title="Invitations">
            <InvitationTable invitations={invitations} />
          </Card>
        )}
        <Card title="Contact address">
          <ContactAddress members={members} />
        </Card>
      </div>
      <InviteMember open={isInviting} onOpenChange={setInviting} />
    </>
  );
}

/** Explains why nobody can be invited now, with the next step. */
function Obstacle({ kind }: { kind: MemberList["obstacle"] }) {
  const { trpc, toast, handlers } = useMutationHandlers();
  const onSuccess = () => toast({ text: "We sent you a link. Open it to verify your address." });
  const send = useMutation(trpc.account.sendVerification.mutationOptions({ ...handlers, onSuccess }));
  if (kind === null) return null;
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-xl border border-warning bg-warning-wash px-5 py-3 text-sm leading-6 text-warning">
      <p className="min-w-0 flex-1 basis-56">
        {kind === "mail"
          ? "This hub sends no e-mail, so nobody can be invited. Ask its administrator to set up a mail server."
          : "Verify your own e-mail address before you invite others."}
      </p>
      {kind === "unverified" && (
        <Button busy={send.isPending} onClick={() => send.mutate()}>
          Send a link
        </Button>
      )}
    </div>
  );
}
