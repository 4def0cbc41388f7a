"use client";

import { useMutation } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { useMutationHandlers } from "../../../../trpc/use-mutation-handlers";
import { Button } from "../../../../ui/button";
import { TextArea } from "../../../../ui/controls";
import { errorsOf } from "../../../../ui/errors-of";
import { Field } from "../../../../ui/field";
import { Form } from "../../../../ui/form";
import { TimeAgo } from "../../../../ui/time-ago";
import type { AccountRecord } from "../../../types";
import { useIsOperator } from "../../../use-operator";

/** Shows what operators wrote down about an account. The account's members never see it. */
export function Notes({ account, notes }: { account: number; notes: AccountRecord["notes"] }) {
  const isOperator = useIsOperator();
  return (
    <div className="grid gap-4 text-sm leading-6">
      {notes.length === 0 && <p className="text-soft">No notes. Only operators and auditors see them.</p>}
      {notes.map(({ id, text, author, created_at }) => (
        <div key={id}>
          <p className="wrap-anywhere whitespace-pre-wrap">{text}</p>
          <p className="text-xs text-soft">
            {author}, <TimeAgo at={created_at} />
          </p>
        </div>
      ))}
      {isOperator && <NoteForm account={account} />}
    </div>
  );
}

function NoteForm({ account }: { account: number }) {
  const { trpc, handlers } = useMutationHandlers((trpc) => [trpc.admin.accounts.pathFilter()]);
  const add = useMutation(trpc.admin.accounts.note.mutationOptions({ onSettled: handlers.onSettled }));
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const text = new FormData(form).get("text") as string;
    add.mutate({ account, text }, { onSuccess: () => form.reset() });
  };
  return (
    <Form onSubmit={onSubmit} error={add.error}>
      <Field label="New note" name="text" error={errorsOf(add.error)?.message}>
        {(control) => (
          <TextArea {...control} name="text" rows={2} required maxLength={2_000} data-missing="Write something." />
        )}
      </Field>
      <Button type="submit" busy={add.isPending} className="justify-self-start">
        Add note
      </Button>
    </Form>
  );
}
