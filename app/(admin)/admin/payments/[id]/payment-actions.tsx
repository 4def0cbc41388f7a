"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useMutationHandlers } from "../../../../trpc/use-mutation-handlers";
import { Button } from "../../../../ui/button";
import { Dialog } from "../../../../ui/dialog";
import { errorsOf } from "../../../../ui/errors-of";
import { TextField } from "../../../../ui/field";
import type { PaymentRecord } from "../../../types";
import { OrderForm, readText } from "../../../order-form";
import { useIsOperator } from "../../../use-operator";

/** Offers what an operator does to a payment. */
export function PaymentActions({ payment }: { payment: PaymentRecord }) {
  const [isRefunding, setRefunding] = useState(false);
  const { trpc, toast, handlers } = useMutationHandlers((trpc) => [trpc.admin.pathFilter()]);
  const lookUp = useMutation(
    trpc.admin.payments.lookUp.mutationOptions({ ...handlers, onSuccess: () => toast({ text: "Looked up." }) }),
  );
  if (!useIsOperator()) return null;
  const { id, provider, refundable, email } = payment;
  return (
    <div className="flex flex-wrap gap-2">
      {provider !== "manual" && (
        <Button busy={lookUp.isPending} onClick={() => lookUp.mutate({ id })}>
          Look up at the provider
        </Button>
      )}
      {refundable > 0 && <Button onClick={() => setRefunding(true)}>Refund</Button>}
      <Dialog open={isRefunding} onOpenChange={setRefunding} title={`Refund ${email}`}>
        <RefundForm payment={payment} onDone={() => setRefunding(false)} />
      </Dialog>
    </div>
  );
}

function RefundForm({ payment: { id, provider, refundable }, onDone }: { payment: PaymentRecord; onDone: () => void }) {
  const { trpc, toast, handlers } = useMutationHandlers((trpc) => [trpc.admin.pathFilter()]);
  const refund = useMutation(
    trpc.admin.payments.refund.mutationOptions({
      onSettled: handlers.onSettled,
      onSuccess: () => {
        toast({ text: "Refund booked." });
        onDone();
      },
    }),
  );
  return (
    <OrderForm
      verb="Refund"
      kind="danger"
      busy={refund.isPending}
      error={refund.error}
      onSubmit={(form) =>
        refund.mutate({ id, amount: readText(form, "amount"), left: refundable, reason: readText(form, "reason") })
      }
    >
      <p className="text-sm leading-6 text-soft">
        {provider === "manual"
          ? "The credit leaves the account. You send the money back yourself."
          : "The credit leaves the account, and the provider sends the money back to where it came from."}
      </p>
      <TextField
        name="amount"
        label="Amount with tax (EUR)"
        inputMode="decimal"
        autoComplete="off"
        required
        maxLength={30}
        defaultValue={refundable.toFixed(2)}
        data-missing="Enter an amount."
        hint={`At most ${refundable.toFixed(2)}, which is left of the payment. It must be available on the account.`}
        error={errorsOf(refund.error)?.field("amount", "The amount")}
      />
    </OrderForm>
  );
}
