"use client";

import { useMutation } from "@tanstack/react-query";
import type { FormEvent } from "react";
import type { Role } from "@/server/context";
import { useMutationHandlers } from "../../trpc/use-mutation-handlers";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { errorsOf } from "../../ui/errors-of";
import { FormError, SelectField, TextField } from "../../ui/field";
import { Form } from "../../ui/form";
import { roleOptions } from "./types";

interface Props {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Asks for the address and the role of somebody to invite. */
export const InviteMember = ({ open, onOpenChange }: Props) => (
  <Dialog open={open} onOpenChange={onOpenChange} title="Invite a member">
    <InviteForm onDone={() => onOpenChange(false)} />
  </Dialog>
);

function InviteForm({ onDone }: { onDone: () => void }) {
  const { trpc, toast, handlers } = useMutationHandlers((trpc) => [trpc.members.list.queryFilter()]);
  const invite = useMutation(
    trpc.members.invite.mutationOptions({
      onSettled: handlers.onSettled,
      onSuccess: (_, { email }) => {
        toast({ text: `Invitation sent to ${email}.` });
        onDone();
      },
    }),
  );
  const errors = errorsOf(invite.error);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    invite.mutate({ email: form.get("email") as string, role: form.get("role") as Role });
  };
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
      <FormError>{errors && !errors.field("email") && errors.message}</FormError>
      <Button kind="primary" type="submit" busy={invite.isPending}>
        Send invitation
      </Button>
    </Form>
  );
}
