"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { useHubMutation } from "../../../trpc/use-hub-mutation";
import { Button } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";
import { errorsOf } from "../../../ui/errors-of";
import { readText, TextField } from "../../../ui/form";
import { OperatorForm } from "../../operator-form";
import { useIsOperator } from "../../use-operator";

/** Lets operators record a bank transfer. */
export function RecordPayment() {
  const [isOpen, setOpen] = useState(false);
  if (!useIsOperator()) return null;
  return (
    <>
      <Button kind="primary" onClick={() => setOpen(true)}>
        <Plus size={16} aria-hidden />
        Record payment
      </Button>
      <Dialog open={isOpen} onOpenChange={setOpen} title="Record a payment">
        <RecordForm onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

const NAMES = ["email", "amount", "tax", "reference", "note", "reason"] as const;

function RecordForm({ onDone }: { onDone: () => void }) {
  const record = useHubMutation((trpc) => trpc.admin.payments.record, {
    invalidates: (trpc) => [trpc.admin.pathFilter()],
    showsError: true,
    successToast: ({ isNew }, { reference }) =>
      isNew ? "Recorded and credited." : `Reference ${reference} was already recorded.`,
    onSuccess: onDone,
  });
  const onSubmit = (form: FormData) =>
    record.mutate(
      Object.fromEntries(NAMES.map((name) => [name, readText(form, name)])) as Record<(typeof NAMES)[number], string>,
    );
  return (
    <OperatorForm verb="Record and credit" busy={record.isPending} error={record.error} onSubmit={onSubmit}>
      <Fields error={record.error} />
    </OperatorForm>
  );
}

function Fields({ error }: { error: unknown }) {
  const errors = errorsOf(error);
  return (
    <>
      <TextField
        name="email"
        type="email"
        label="Account"
        autoComplete="off"
        required
        maxLength={254}
        data-missing="Enter the account’s e-mail address."
      />
      <TextField
        name="amount"
        label="Credit (EUR)"
        inputMode="decimal"
        autoComplete="off"
        required
        maxLength={30}
        data-missing="Enter an amount."
        hint="Without tax."
        error={errors?.field("amount", "The amount")}
      />
      <TextField
        name="tax"
        label="Tax (EUR, optional)"
        inputMode="decimal"
        autoComplete="off"
        maxLength={30}
        hint="Paid on top of the credit. Stored, but not credited."
        error={errors?.field("tax", "The tax")}
      />
      <TextField
        name="reference"
        label="Reference"
        autoComplete="off"
        required
        maxLength={200}
        data-missing="Enter a reference."
        hint="For example an invoice number. Each reference can be recorded only once."
        error={errors?.field("reference", "The reference")}
      />
      <TextField
        name="note"
        label="Note on the statement (optional)"
        maxLength={500}
        hint="Visible to the account’s members."
      />
    </>
  );
}
