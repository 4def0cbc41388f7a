"use client";

import { useMutation } from "@tanstack/react-query";
import { useMutationHandlers } from "../../trpc/use-mutation-handlers";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { ConfirmedButton } from "../../ui/confirmed-button";
import { Table, Td, Th } from "../../ui/table";
import { TimeAgo } from "../../ui/time-ago";
import { type Invitation, roleLabel } from "./types";

/** Lists the invitations that nobody has accepted yet. */
export const InvitationTable = ({ invitations }: { invitations: Invitation[] }) => (
  <Table label="Invitations">
    <thead>
      <tr>
        <Th>Invited</Th>
        <Th className="max-md:hidden">Role</Th>
        <Th className="max-md:hidden">Expires</Th>
        <Th>
          <span className="sr-only">Actions</span>
        </Th>
      </tr>
    </thead>
    <tbody>
      {invitations.map((invitation) => (
        <Row key={invitation.id} invitation={invitation} />
      ))}
    </tbody>
  </Table>
);

function Row({ invitation: { id, email, role, invited_by, expires_at, is_expired } }: { invitation: Invitation }) {
  const { trpc, toast, handlers } = useMutationHandlers((trpc) => [trpc.members.list.queryFilter()]);
  const resend = useMutation(
    trpc.members.resend.mutationOptions({ ...handlers, onSuccess: () => toast({ text: `Sent to ${email} again.` }) }),
  );
  const withdraw = useMutation(
    trpc.members.withdraw.mutationOptions({ ...handlers, onSuccess: () => toast({ text: "Invitation withdrawn." }) }),
  );
  return (
    <tr>
      <Td className="w-full max-w-0">
        <span className="block truncate font-medium" title={email}>
          {email}
        </span>
        <span className="block truncate text-xs text-soft">By {invited_by}</span>
      </Td>
      <Td className="max-md:hidden">{roleLabel(role)}</Td>
      <Td className="text-soft max-md:hidden">
        {is_expired ? <Badge tone="warning">Expired</Badge> : <TimeAgo at={expires_at} />}
      </Td>
      <Td>
        <span className="flex justify-end gap-2 max-sm:flex-col">
          <Button busy={resend.isPending} aria-label={`Send again to ${email}`} onClick={() => resend.mutate({ id })}>
            Send again
          </Button>
          <ConfirmedButton
            label={`Withdraw the invitation of ${email}`}
            busy={withdraw.isPending}
            title={`Withdraw the invitation of ${email}?`}
            verb="Withdraw"
            question="The link in the e-mail stops working. You can invite them again."
            onConfirm={() => withdraw.mutate({ id })}
          >
            Withdraw
          </ConfirmedButton>
        </span>
      </Td>
    </tr>
  );
}
