"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../trpc/client";
import { useHubMutation } from "../../trpc/use-hub-mutation";
import { Button } from "../../ui/button";
import { errorsOf } from "../../ui/errors-of";
import { Form, FormError, readText, TextField } from "../../ui/form";

/** Names the keys of metadata by which usage can be grouped over any period. */
export function UsageMetadata() {
  const trpc = useTRPC();
  const { data: labels } = useQuery(trpc.account.usageMetadata.queryOptions());
  const change = useHubMutation((trpc) => trpc.account.setUsageMetadata, {
    invalidates: (trpc) => [trpc.account.usageMetadata.queryFilter()],
    showsError: true,
    successToast: "Usage keys saved.",
  });
  const errors = errorsOf(change.error);
  const names = labels?.map(({ name }) => name).join(", ");
  const onSubmit = (fields: FormData) =>
    change.mutate({
      names: readText(fields, "names")
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name !== ""),
    });
  return (
    <Form key={names} onSubmit={onSubmit} error={change.error} className="grid max-w-sm gap-4">
      <TextField
        name="names"
        label="Metadata keys"
        defaultValue={names ?? ""}
        placeholder="team, feature"
        disabled={labels === undefined}
        hint="Up to five keys, separated by commas. Usage by other keys covers at most 31 days. New keys start with the next day in UTC; removing one deletes its totals."
        error={errors?.field("names", "The keys")}
      />
      <FormError>{errors?.messageUnlessAt("names")}</FormError>
      <Button type="submit" kind="primary" busy={change.isPending} className="justify-self-start">
        Save keys
      </Button>
    </Form>
  );
}
