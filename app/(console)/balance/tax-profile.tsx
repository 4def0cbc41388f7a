"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../trpc/client";
import { useHubMutation } from "../../trpc/use-hub-mutation";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { errorsOf } from "../../ui/errors-of";
import { Form, FormError, readText, TextField } from "../../ui/form";

/** Shows and sets where the account is, and its VAT id. */
export function TaxProfile() {
  const { data } = useQuery(useTRPC().payments.tax.queryOptions());
  const save = useHubMutation((trpc) => trpc.payments.setTax, {
    invalidates: (trpc) => [trpc.payments.tax.pathFilter()],
    successToast: "Tax details saved.",
    showsError: true,
  });
  if (data === undefined) return null;
  const errors = errorsOf(save.error);
  const submit = (fields: FormData) =>
    save.mutate({ country: readText(fields, "country"), vat_id: readText(fields, "vat_id") });
  return (
    <Card title="Tax details">
      <Form onSubmit={submit} error={save.error}>
        <TextField
          name="country"
          label="Country (optional)"
          maxLength={2}
          autoComplete="country"
          defaultValue={data?.country ?? ""}
          hint="Two letters, such as DE."
          error={errors?.field("country", "The country")}
        />
        <TextField
          name="vat_id"
          label="VAT ID (optional)"
          maxLength={30}
          autoComplete="off"
          defaultValue={data?.vat_id ?? ""}
          hint="For later payments. Without tax details, the payment page asks for it."
          error={errors?.field("vat_id", "The VAT ID")}
        />
        <FormError>{errors?.messageUnlessAt("country", "vat_id")}</FormError>
        <div>
          <Button type="submit" busy={save.isPending}>
            Save tax details
          </Button>
        </div>
      </Form>
    </Card>
  );
}
