"use client";

import { useMutation } from "@tanstack/react-query";
import { useMutationHandlers } from "../../../trpc/use-mutation-handlers";
import { OrderForm, readText } from "../../order-form";

interface Props {
  source: string;
  /** The revision on which the text is based. */
  base: number | null;
}

/** Applies a checked text, unless another one was applied meanwhile. */
export function ApplyForm({ source, base }: Props) {
  const { trpc, toast, handlers } = useMutationHandlers((trpc) => [trpc.admin.catalogue.get.queryFilter()]);
  const apply = useMutation(
    trpc.admin.catalogue.applyDraft.mutationOptions({
      onSettled: handlers.onSettled,
      onSuccess: ({ revision }) => toast({ text: `Applied as revision ${revision}.` }),
    }),
  );
  return (
    <div className="max-w-md border-t border-line pt-5">
      <OrderForm
        verb="Apply in all hubs"
        busy={apply.isPending}
        error={apply.error}
        onSubmit={(form) => apply.mutate({ source, base, reason: readText(form, "reason") })}
      />
    </div>
  );
}
