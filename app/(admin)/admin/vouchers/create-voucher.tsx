"use client";

import { useHubMutation } from "../../../trpc/use-hub-mutation";
import { Button } from "../../../ui/button";
import { errorsOf } from "../../../ui/errors-of";
import { Form, FormError, readText, TextField } from "../../../ui/form";
import { SecretDialog } from "../../../ui/secret-dialog";

interface Props {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Creates a voucher, whose code is shown once. */
export function CreateVoucher({ open, onOpenChange }: Props) {
  const create = useHubMutation((trpc) => trpc.admin.vouchers.create, {
    invalidates: (trpc) => [trpc.admin.vouchers.pathFilter()],
    showsError: true,
  });
  return (
    <SecretDialog
      open={open}
      onOpenChange={onOpenChange}
      create={create}
      title="Create a voucher"
      kind="code"
      reveal={({ code }) => ({ title: "The voucher is ready", secret: code })}
    >
      <Form onSubmit={(fields) => create.mutate(readFields(fields))} error={create.error}>
        <Fields errors={errorsOf(create.error)} />
        <Button kind="primary" type="submit" busy={create.isPending}>
          Create voucher
        </Button>
      </Form>
    </SecretDialog>
  );
}

const Fields = ({ errors }: { errors: ReturnType<typeof errorsOf> }) => (
  <>
    <TextField
      name="amount"
      label="Amount in EUR"
      inputMode="decimal"
      required
      data-missing="Enter an amount."
      maxLength={30}
      hint="The promotional credit that each account receives."
      error={errors?.field("amount", "The amount")}
    />
    <TextField
      name="max_redemptions"
      label="Redemptions"
      inputMode="numeric"
      required
      data-missing="Enter a number."
      maxLength={9}
      defaultValue="1"
      hint="How many accounts may redeem it, once each."
      error={errors?.field("max_redemptions", "The number")}
    />
    <TextField
      name="last_day"
      label="Last day (optional)"
      type="date"
      hint="In UTC."
      error={errors?.field("last_day", "The day") ?? errors?.field("expires_at", "The day")}
    />
    <TextField
      name="note"
      label="Note (optional)"
      maxLength={200}
      hint="What it is for. Only operators see it."
      error={errors?.field("note", "The note")}
    />
    <FormError>{errors?.messageUnlessAt("amount", "max_redemptions", "last_day", "expires_at", "note")}</FormError>
  </>
);

const readFields = (fields: FormData) => ({
  amount: readText(fields, "amount"),
  max_redemptions: readText(fields, "max_redemptions"),
  last_day: readText(fields, "last_day"),
  note: readText(fields, "note"),
});
