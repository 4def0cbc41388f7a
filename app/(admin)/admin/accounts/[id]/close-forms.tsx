"use client";

import { useHubMutation } from "../../../../trpc/use-hub-mutation";
import { readText, SelectField, TextField } from "../../../../ui/form";
import { OperatorForm } from "../../../operator-form";

interface Props {
  account: number;
  onDone: () => void;
}

/** Closes an account in some days. */
export function CloseForm({ account, onDone }: Props) {
  const close = useHubMutation((trpc) => trpc.admin.accounts.close, {
    invalidates: (trpc) => [trpc.admin.pathFilter()],
    showsError: true,
    successToast: "The account is closing.",
    onSuccess: onDone,
  });
  const onSubmit = (form: FormData) =>
    close.mutate({
      account,
      balance: readText(form, "balance") === "give_up" ? "give_up" : "refund",
      days: Number(readText(form, "days")),
      reason: readText(form, "reason"),
    });
  return (
    <OperatorForm verb="Close account" kind="danger" busy={close.isPending} error={close.error} onSubmit={onSubmit}>
      <p className="text-sm leading-6 text-soft">
        Its API keys stop working immediately, and its members can only read. Afterwards everything except tax records
        is erased.
      </p>
      <TextField
        name="days"
        label="Days until it closes"
        type="number"
        min={0}
        max={90}
        required
        defaultValue={14}
        hint="0 closes it as soon as possible, an hour later at the earliest."
      />
      <SelectField name="balance" label="Balance" defaultValue="refund">
        <option value="refund">Refund what was paid</option>
        <option value="give_up">Give up all of it</option>
      </SelectField>
    </OperatorForm>
  );
}

/** Keeps an account that is closing. */
export function KeepForm({ account, onDone }: Props) {
  const keep = useHubMutation((trpc) => trpc.admin.accounts.keep, {
    invalidates: (trpc) => [trpc.admin.pathFilter()],
    showsError: true,
    successToast: "Account kept.",
    onSuccess: onDone,
  });
  return (
    <OperatorForm
      verb="Keep account"
      busy={keep.isPending}
      error={keep.error}
      onSubmit={(form) => keep.mutate({ account, reason: readText(form, "reason") })}
    >
      <p className="text-sm leading-6 text-soft">Its API keys work again immediately.</p>
    </OperatorForm>
  );
}
