"use client";

import { useHubMutation } from "../../trpc/use-hub-mutation";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { errorsOf } from "../../ui/errors-of";
import { Form, FormError, readText, TextField } from "../../ui/form";

/** Redeems a voucher for promotional credit. */
export function RedeemVoucher() {
  const redeem = useHubMutation((trpc) => trpc.balance.redeemVoucher, {
    invalidates: (trpc) => [trpc.balance.pathFilter(), trpc.account.pathFilter()],
    successToast: "Voucher redeemed.",
    showsError: true,
  });
  const errors = errorsOf(redeem.error);
  return (
    <Card title="Redeem a voucher">
      <Form onSubmit={(fields) => redeem.mutate({ code: readText(fields, "code") })} error={redeem.error}>
        <TextField
          name="code"
          label="Code"
          required
          data-missing="Enter a code."
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          hint="Gives promotional credit, which is spent before credit that you paid for."
          error={errors?.field("code", "The code")}
        />
        <FormError>{errors?.messageUnlessAt("code")}</FormError>
        <div>
          <Button type="submit" busy={redeem.isPending}>
            Redeem
          </Button>
        </div>
      </Form>
    </Card>
  );
}
