"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../../../trpc/client";
import { useHubMutation } from "../../../../trpc/use-hub-mutation";
import { errorsOf } from "../../../../ui/errors-of";
import { readText, SelectField } from "../../../../ui/form";
import { OperatorForm } from "../../../operator-form";
import type { AccountRecord } from "../../../types";

/** Puts an account on a price book, at once or from the next month on. */
export function BookForm({ account: { id, book }, onDone }: { account: AccountRecord; onDone: () => void }) {
  const { data } = useQuery(useTRPC().admin.books.get.queryOptions());
  const change = useHubMutation((trpc) => trpc.admin.accounts.setBook, {
    invalidates: (trpc) => [trpc.admin.pathFilter()],
    showsError: true,
    successToast: "Price book changed.",
    onSuccess: onDone,
  });
  const onSubmit = (form: FormData) =>
    change.mutate({
      account: id,
      book: readText(form, "book") || null,
      starts: readText(form, "starts") === "next_month" ? "next_month" : "now",
      reason: readText(form, "reason"),
    });
  if (!data) return null;
  return (
    <OperatorForm verb="Change price book" busy={change.isPending} error={change.error} onSubmit={onSubmit}>
      <SelectField
        name="book"
        label="Price book"
        defaultValue={book ?? ""}
        error={errorsOf(change.error)?.field("book", "The price book")}
      >
        <option value="">None: the prices of the catalogue</option>
        {data.books.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField name="starts" label="Starts" defaultValue="now">
        <option value="now">Now</option>
        <option value="next_month">Next month (UTC)</option>
      </SelectField>
      <p className="text-sm leading-6 text-soft">
        Work that has been accepted keeps its price. The first price book with a trial credit grants it, once per
        account.
      </p>
    </OperatorForm>
  );
}
