"use client";

import { useMutation } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { useTRPC } from "../../trpc/client";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { errorsOf } from "../../ui/errors-of";
import { CheckField, FormError, TextField } from "../../ui/field";
import { Form } from "../../ui/form";

/** Lets the customer choose an amount, and continues on the provider's page. */
export function TopUp() {
  const topUp = useMutation(
    useTRPC().payments.topUp.mutationOptions({ onSuccess: ({ url }) => window.location.assign(url) }),
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    topUp.mutate({ amount: form.get("amount") as string, saves_method: form.has("saves_method") });
  };
  const errors = errorsOf(topUp.error);
  const amountError = errors?.field("amount");
  return (
    <Card title="Top up">
      <Form onSubmit={submit} error={topUp.error}>
        <TextField
          name="amount"
          label="Amount in EUR"
          inputMode="decimal"
          required
          data-missing="Enter an amount."
          maxLength={10}
          defaultValue="25"
          hint="At least €5. Any tax is added on the payment page."
          error={amountError}
        />
        <CheckField
          name="saves_method"
          label="Save this payment method"
          hint="For automatic top-ups. You can remove it at any time."
        />
        <FormError>{!amountError && errors?.message}</FormError>
        <div>
          <Button kind="primary" type="submit" busy={topUp.isPending || topUp.isSuccess}>
            Continue to payment
          </Button>
        </div>
      </Form>
    </Card>
  );
}
