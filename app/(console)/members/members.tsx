"use client";

import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useTRPC } from "../../trpc/client";
import { useHubMutation } from "../../trpc/use-hub-mutation";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { ConfirmedButton } from "../../ui/dialog";
import { SelectField } from "../../ui/form";
import { PageHeader } from "../../ui/page-header";
import { ActionTable, Td } from "../../ui/table";
import { useNewDialog } from "../../ui/use-new-dialog";
import { TimeUntil } from "../../ui/values";
import { InviteMember } from "./invite-member";
import { MemberTable } from "./member-table";
import { type Invitation, type Member, roleLabel, roleOptions } from "./types";

export function Members() {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.members.list.queryOptions());
  const { data: account } = useQuery(trpc.account.get.queryOptions());
  const { isOpen: isInviting, setOpen: setInviting } = useNewDialog("manage");
  if (!data) return null;
  const { members, invitations, sends_mail, is_unverified } = data;
  const invite = (
    <Button kind="primary" disabled={is_unverified} onClick={() => setInviting(true)}>
      <Plus size={16} aria-hidden />
      Invite
    </Button>
  );
  return (
    <>
      <PageHeader title="Members" action={invite}>
        People with access to {account?.name ?? "this account"}. Their role decides what they can do.
      </PageHeader>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        {is_unverified && <VerifyFirst />}
        <Card flush title="Members">
          <MemberTable members={members} />
        </Card>
        {invitations.length > 0 && (
          <Card flush title="Invitations">
            <InvitationTable invitations={invitations} />
          </Card>
        )}
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[repeat(2,minmax(0,1fr))]">
          <Roles />
          <Card title="Contact address">
            <ContactAddress members={members} />
          </Card>
        </div>
      </div>
      {isInviting && (
        <InviteMember onClose={() => setInviting(false)} sendsMail={sends_mail} isNamed={Boolean(account?.name)} />
      )}
    </>
  );
}

const Roles = () => (
  <Card title="Roles">
    <dl className="grid gap-3 text-sm leading-6">
      {roleOptions.map(({ role, label, hint }) => (
        <div key={role}>
          <dt className="font-medium">{label}</dt>
          <dd className="text-soft">{hint}</dd>
        </div>
      ))}
    </dl>
  </Card>
);

/** Explains why nobody can be invited now, with the next step. */
function VerifyFirst() {
  const send = useHubMutation((trpc) => trpc.account.sendVerification, {
    successToast: "We sent you a link. Open it to verify your address.",
  });
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-xl border border-warning bg-warning-wash px-5 py-3 text-sm leading-6 text-warning">
      <p className="min-w-0 flex-1 basis-56">Verify your own e-mail address before you invite others.</p>
      <Button busy={send.isPending} onClick={() => send.mutate()}>
        Send a link
      </Button>
    </div>
  );
}

/** Shows the account's contact address, and lets an owner choose another member's address. */
function ContactAddress({ members }: { members: Member[] }) {
  const { data: account } = useQuery(useTRPC().account.get.queryOptions());
  const change = useHubMutation((trpc) => trpc.members.changeContact, {
    invalidates: (trpc) => [trpc.account.pathFilter()],
    successToast: "Contact address changed.",
  });
  const current = members.find(({ email }) => email === account?.email);
  return (
    <div className="max-w-md">
      <SelectField
        label="E-mail address of this account"
        hint="Used by the hub’s operator and returned by GET /me. It has to be a member’s verified address."
        value={change.isPending ? change.variables.person : (current?.id ?? "")}
        onChange={({ target }) => change.mutate({ person: Number(target.value) })}
      >
        {!current && <option value="">{account?.email}</option>}
        {members.map(({ id, email }) => (
          <option key={id} value={id}>
            {email}
          </option>
        ))}
      </SelectField>
    </div>
  );
}

/** Lists the pending invitations. */
const InvitationTable = ({ invitations }: { invitations: Invitation[] }) => (
  <ActionTable
    label="Invitations"
    columns={[
      { title: "Invited" },
      { title: "Role", className: "max-md:hidden" },
      { title: "Expires", className: "max-md:hidden" },
    ]}
  >
    {invitations.map((invitation) => (
      <InvitationRow key={invitation.id} invitation={invitation} />
    ))}
  </ActionTable>
);

function InvitationRow({
  invitation: { id, email, role, invited_by, expires_at, is_expired },
}: {
  invitation: Invitation;
}) {
  const what = email === null ? `link with the role ${roleLabel(role)}` : `invitation of ${email}`;
  const resend = useHubMutation((trpc) => trpc.members.resend, {
    invalidates: (trpc) => [trpc.members.list.queryFilter()],
    successToast: `Invitation sent to ${email} again.`,
  });
  const withdraw = useHubMutation((trpc) => trpc.members.withdraw, {
    invalidates: (trpc) => [trpc.members.list.queryFilter()],
    successToast: "Invitation withdrawn.",
  });
  return (
    <tr>
      <Td className="w-full max-w-0">
        <span className="block truncate font-medium" title={email ?? undefined}>
          {email ?? "Link for one person"}
        </span>
        <span className="block truncate text-xs text-soft">By {invited_by}</span>
      </Td>
      <Td className="max-md:hidden">{roleLabel(role)}</Td>
      <Td className="text-soft max-md:hidden">
        {is_expired ? <Badge tone="warning">Expired</Badge> : <TimeUntil at={expires_at} />}
      </Td>
      <Td>
        <span className="flex justify-end gap-2 max-sm:flex-col">
          {email !== null && (
            <Button busy={resend.isPending} aria-label={`Send again to ${email}`} onClick={() => resend.mutate({ id })}>
              Send again
            </Button>
          )}
          <ConfirmedButton
            label={`Withdraw the ${what}`}
            busy={withdraw.isPending}
            title={`Withdraw the ${what}?`}
            verb="Withdraw"
            question="The link stops working. You can invite them again."
            onConfirm={() => withdraw.mutate({ id })}
          >
            Withdraw
          </ConfirmedButton>
        </span>
      </Td>
    </tr>
  );
}
