"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "../../trpc/client";
import { useHubMutation } from "../../trpc/use-hub-mutation";
import { Button } from "../../ui/button";
import { closingWaits } from "../../ui/closing-waits";
import { Dialog } from "../../ui/dialog";
import { errorsOf } from "../../ui/errors-of";
import { Form, FormError, readText, SelectField } from "../../ui/form";
import { useFormats } from "../../ui/formats-context";

/** Lets an owner close the account, or keep one that is closing. */
export function CloseAccount() {
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery(useTRPC().account.closing.queryOptions());
  const { date } = useFormats();
  const keep = useHubMutation((trpc) => trpc.account.keep, {
    invalidates: (trpc) => [trpc.account.pathFilter()],
    successToast: "Account kept. Its API keys work again.",
    onSuccess: () => window.location.reload(),
  });
  if (!data) return null;
  const { closing } = data;
  if (closing)
    return (
      <div className="grid justify-items-start gap-4">
        <p className="text-sm leading-6 text-soft">
          This account closes on {date(closing.closes_at)}. Its API keys are rejected, and nothing can be changed. Then
          everything except tax records is erased.
        </p>
        {closing.waits_for.length > 0 && (
          <p className="text-sm leading-6 text-soft">
            It waits for: {closing.waits_for.map((wait) => closingWaits[wait]).join(", ")}.
          </p>
        )}
        {closing.is_by_operator ? (
          <p className="text-sm leading-6 text-soft">The operator closes it. Contact them to keep it.</p>
        ) : (
          <Button kind="primary" busy={keep.isPending} onClick={() => keep.mutate()}>
            Keep the account
          </Button>
        )}
      </div>
    );
  return (
    <div className="grid justify-items-start gap-4">
      <p className="text-sm leading-6 text-soft">
        Closes the account in 14 days. Until then you can keep it; then everything in it is erased permanently.
      </p>
      <Button kind="danger" onClick={() => setOpen(true)}>
        Close account
      </Button>
      <Dialog open={isOpen} onOpenChange={setOpen} title="Close this account?">
        <CloseForm available={data.available} refundable={data.refundable} />
      </Dialog>
    </div>
  );
}

function CloseForm({ available, refundable }: { available: number; refundable: number }) {
  const { euros } = useFormats();
  const close = useHubMutation((trpc) => trpc.account.close, {
    invalidates: (trpc) => [trpc.account.pathFilter()],
    showsError: true,
    successToast: "The account closes in 14 days.",
    onSuccess: () => window.location.reload(),
  });
  const onSubmit = (form: FormData) =>
    close.mutate({ balance: readText(form, "balance") === "give_up" ? "give_up" : "refund" });
  return (
    <Form onSubmit={onSubmit} error={close.error}>
      <p className="text-sm leading-6 text-soft">
        API keys and connected apps stop working now. Running work finishes first. Generations, files, keys and settings
        are erased in 14 days, and so are members who have no other account.
      </p>
      <SelectField
        name="balance"
        label="Balance"
        defaultValue="refund"
        hint="Credit that nobody paid for is given up in either case."
      >
        <option value="refund">Refund what was paid ({euros(refundable, 2, 2)})</option>
        <option value="give_up">Give up all of it ({euros(available, 2, 4)})</option>
      </SelectField>
      <FormError>{errorsOf(close.error)?.message}</FormError>
      <Button type="submit" kind="danger" busy={close.isPending}>
        Close account
      </Button>
    </Form>
  );
}
