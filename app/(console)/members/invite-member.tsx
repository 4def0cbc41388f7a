"use client";

import type { Role } from "@/server/context";
import { useState } from "react";
import { useHubMutation } from "../../trpc/use-hub-mutation";
import { Button } from "../../ui/button";
import { errorsOf } from "../../ui/errors-of";
import { Form, FormError, readText, SelectField, TextField } from "../../ui/form";
import { Link } from "../../ui/link";
import { SecretDialog } from "../../ui/secret-dialog";
import { roleOptions } from "./types";

interface Props {
  onClose: () => void;
  /** Whether the hub sends e-mail. */
  sendsMail: boolean;
  /** Whether the account has a name, which invitations show. */
  isNamed: boolean;
}

/** Asks for the role of a new member, and for their e-mail address unless they get a link. */
export function InviteMember({ onClose, sendsMail, isNamed }: Props) {
  const [way, setWay] = useState<"mail" | "link">(sendsMail ? "mail" : "link");
  const invite = useHubMutation((trpc) => trpc.members.invite, {
    invalidates: (trpc) => [trpc.members.list.queryFilter()],
    showsError: true,
    successToast: (_, { email }) => `Invitation sent to ${email}.`,
    onSuccess: onClose,
  });
  const createLink = useHubMutation((trpc) => trpc.members.createLink, {
    invalidates: (trpc) => [trpc.members.list.queryFilter()],
    showsError: true,
  });
  const error = invite.error ?? createLink.error;
  const errors = errorsOf(error);
  const onSubmit = (fields: FormData) => {
    const role = readText(fields, "role") as Role;
    if (way === "link") createLink.mutate({ role });
    else invite.mutate({ email: readText(fields, "email"), role });
  };
  return (
    <SecretDialog
      open
      onOpenChange={onClose}
      create={createLink}
      title="Invite a member"
      kind="link"
      reveal={({ link }) => ({
        title: "Your invitation link",
        secret: link,
        details: <p className="text-sm leading-6">Whoever opens it first can join, once, within seven days.</p>,
      })}
    >
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
    </SecretDialog>
  );
}

/** Renders the choice of a role. What the chosen role may do is shown below it, where it is never cut off. */
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
