"use client";

import type { Role } from "@/server/context";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useTRPC } from "../../trpc/client";
import { useHubMutation } from "../../trpc/use-hub-mutation";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { ConfirmedButton, Dialog } from "../../ui/dialog";
import { errorsOf } from "../../ui/errors-of";
import { Form, FormError, readText, SelectField, TextField } from "../../ui/form";
import { PageHeader } from "../../ui/page-header";
import { Table, Td, Th } from "../../ui/table";
import { TimeAgo } from "../../ui/values";
import { MemberTable } from "./member-table";
import { type Invitation, type Member, type MemberList, roleLabel, roleOptions } from "./types";

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
        People with access to this account. Their role decides what they can do.
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
  const send = useHubMutation((trpc) => trpc.account.sendVerification, {
    successToast: "We sent you a link. Open it to verify your address.",
  });
  if (kind === null) return null;
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-xl border border-warning bg-warning-wash px-5 py-3 text-sm leading-6 text-warning">
      <p className="min-w-0 flex-1 basis-56">
        {kind === "mail"
          ? "This hub can’t send e-mail, so nobody can be invited. Ask its administrator to set up a mail server."
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
        hint="Used by the hub’s administrator and returned by GET /me. It has to be a member’s verified address."
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
        <InvitationRow key={invitation.id} invitation={invitation} />
      ))}
    </tbody>
  </Table>
);

function InvitationRow({
  invitation: { id, email, role, invited_by, expires_at, is_expired },
}: {
  invitation: Invitation;
}) {
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

interface Props {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Asks for the e-mail address and role of a new member. */
const InviteMember = ({ open, onOpenChange }: Props) => (
  <Dialog open={open} onOpenChange={onOpenChange} title="Invite a member">
    <InviteForm onDone={() => onOpenChange(false)} />
  </Dialog>
);

function InviteForm({ onDone }: { onDone: () => void }) {
  const invite = useHubMutation((trpc) => trpc.members.invite, {
    invalidates: (trpc) => [trpc.members.list.queryFilter()],
    showsError: true,
    successToast: (_, { email }) => `Invitation sent to ${email}.`,
    onSuccess: onDone,
  });
  const errors = errorsOf(invite.error);
  const onSubmit = (fields: FormData) =>
    invite.mutate({ email: readText(fields, "email"), role: readText(fields, "role") as Role });
  return (
    <Form onSubmit={onSubmit} error={invite.error}>
      <TextField
        name="email"
        type="email"
        label="E-mail address"
        autoComplete="off"
        required
        maxLength={254}
        data-missing="Enter an e-mail address."
        error={errors?.field("email", "This address")}
        hint="They get a link that works once, for seven days."
      />
      <SelectField name="role" label="Role" defaultValue="developer">
        {roleOptions.map(({ role, label, hint }) => (
          <option key={role} value={role}>
            {label}: {hint}
          </option>
        ))}
      </SelectField>
      <FormError>{errors?.messageUnlessAt("email")}</FormError>
      <Button kind="primary" type="submit" busy={invite.isPending}>
        Send invitation
      </Button>
    </Form>
  );
}
