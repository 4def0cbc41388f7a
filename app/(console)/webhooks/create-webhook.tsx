"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { describeEvent, eventNames, isPaymentEventName } from "@/server/domain/events/event-names";
import { useTRPC } from "../../trpc/client";
import { usePermission } from "../../ui/access-context";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { errorsOf } from "../../ui/errors-of";
import { CheckField, FormError, TextField } from "../../ui/field";
import { Form } from "../../ui/form";
import { SecretReveal } from "../../ui/secret-reveal";

interface Props {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function CreateWebhook({ open, onOpenChange }: Props) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const create = useMutation(
    trpc.webhooks.create.mutationOptions({
      onSuccess: () => client.invalidateQueries(trpc.webhooks.list.queryFilter()),
    }),
  );
  const change = (next: boolean) => {
    onOpenChange(next);
    // The secret must not outlive its dialog.
    if (!next) create.reset();
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    create.mutate({
      url: (form.get("url") as string).trim(),
      events: eventNames.filter((name) => form.has(name)),
    });
  };
  const made = create.data;
  const errors = errorsOf(create.error);
  const url = errors?.field("url");
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title={made ? "Webhook added" : "Add a webhook"}
      description={made && "Use this secret to verify events."}
    >
      {made ? (
        <SecretReveal what="secret" secret={made.secret} onDone={() => change(false)} />
      ) : (
        <Form onSubmit={submit} error={create.error}>
          <TextField
            name="url"
            label="URL"
            type="url"
            required
            data-missing="Enter a URL."
            maxLength={2048}
            placeholder="https://example.com/hooks/hub"
            hint="A public https:// URL."
            error={url}
          />
          <EventChecks />
          <FormError>{!url && errors && (errors.field("body") ?? errors.message)}</FormError>
          <Button kind="primary" type="submit" busy={create.isPending}>
            Add webhook
          </Button>
        </Form>
      )}
    </Dialog>
  );
}

/** Lists the events; those of payments only to people who may see the account's money. */
function EventChecks() {
  const showsMoney = usePermission("billing");
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 text-sm font-medium">Events</legend>
      {eventNames
        .filter((name) => showsMoney || !isPaymentEventName(name))
        .map((name) => (
          <CheckField
            key={name}
            name={name}
            label={name}
            hint={`${describeEvent(name).summary}.`}
            defaultChecked={!isPaymentEventName(name)}
          />
        ))}
    </fieldset>
  );
}
