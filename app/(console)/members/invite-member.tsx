"use client";

import type { Role } from "@/server/context";
import { useState } from "react";
import { useHubMutation } from "../../trpc/use-hub-mutation";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { useDialogLock } from "../../ui/dialog-lock";
import { errorsOf } from "../../ui/errors-of";
import { Form, FormError, readText, SelectField, TextField } from "../../ui/form";
import { Link } from "../../ui/link";
import { SecretReveal } from "../../ui/secret-reveal";
import { roleOptions } from "./types";

interface FormProps {
  /** Whether the hub sends e-mail. */
  sendsMail: boolean;
  /** Whether the account has a name, which invitations show. */
  isNamed: boolean;
}

interface Props extends FormProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Asks for the role of a new member, and for their e-mail address unless they get a link. */
export function InviteMember({ open, onOpenChange, sendsMail, isNamed }: Props) {
  const [link, setLink] = useState<string | null>(null);
  const close = () => {
    onOpenChange(false);
    setLink(null);
  };
  return (
    <Dialog open={open} onOpenChange={close} title={link === null ? "Invite a member" : "Your invitation link"}>
      {link === null ? (
        <InviteForm sendsMail={sendsMail} isNamed={isNamed} onSent={close} onLink={setLink} />
      ) : (
        <div className="grid gap-4">
          <p className="text-sm leading-6">Whoever opens it first can join, once, within seven days.</p>
          <SecretReveal what="link" secret={link} onDone={close} />
        </div>
      )}
    </Dialog>
  );
}

/** Renders the choice of a role. What the chosen one may do is below it, where it is never cut off. */
function RoleField() {
  const [chosen, setChosen] = useState<Role>("developer");
  return (
    <SelectField
      name="role"
      label="Role"
      hint={`${roleOptions.find(({ role }) => role === chosen)!.hint}.`}
      value={chosen}
      onChange={({ target }) => setChosen(target.value as Role)}
    >
      {roleOptions.map(({ role, label }) => (
        <option key={role} value={role}>
          {label}
        </option>
      ))}
    </SelectField>
  );
}

interface InviteFormProps extends FormProps {
  onSent: () => void;
  onLink: (link: string) => void;
}

function InviteForm({ sendsMail, isNamed, onSent, onLink }: InviteFormProps) {
  const [way, setWay] = useState<"mail" | "link">(sendsMail ? "mail" : "link");
  const invite = useHubMutation((trpc) => trpc.members.invite, {
    invalidates: (trpc) => [trpc.members.list.queryFilter()],
    showsError: true,
    successToast: (_, { email }) => `Invitation sent to ${email}.`,
    onSuccess: onSent,
  });
  const createLink = useHubMutation((trpc) => trpc.members.createLink, {
    invalidates: (trpc) => [trpc.members.list.queryFilter()],
    showsError: true,
    onSuccess: ({ link }) => onLink(link),
  });
  useDialogLock(createLink.isPending);
  const error = invite.error ?? createLink.error;
  const errors = errorsOf(error);
  const onSubmit = (fields: FormData) => {
    const role = readText(fields, "role") as Role;
    if (way === "link") createLink.mutate({ role });
    else invite.mutate({ email: readText(fields, "email"), role });
  };
  return (
    <Form onSubmit={onSubmit} error={error}>
      {sendsMail && (
        <SelectField label="Invite by" value={way} onChange={({ target }) => setWay(target.value as typeof way)}>
          <option value="mail">E-mail: only this person can join</option>
          <option value="link">Link: copy it and send it yourself</option>
        </SelectField>
      )}
      {way === "mail" && (
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
      )}
      <RoleField />
      {!isNamed && (
        <p className="text-xs leading-5 text-soft">
          Invitations show the account’s contact address.{" "}
          <Link href="/settings" className="underline">
            Give it a name
          </Link>{" "}
          that people recognize.
        </p>
      )}
      <FormError>{errors?.messageUnlessAt("email")}</FormError>
      <Button kind="primary" type="submit" busy={invite.isPending || createLink.isPending}>
        {way === "mail" ? "Send invitation" : "Create link"}
      </Button>
    </Form>
  );
}
