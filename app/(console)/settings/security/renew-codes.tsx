"use client";

import { useMutation } from "@tanstack/react-query";
import { useMutationHandlers } from "../../../trpc/use-mutation-handlers";
import { Card } from "../../../ui/card";
import { ConfirmedButton } from "../../../ui/confirmed-button";

const LOW = 3;

/** Says how many recovery codes are left, and replaces them. */
export function RenewCodes({ left, onCodes }: { left: number; onCodes: (codes: string[]) => void }) {
  const { trpc, handlers } = useMutationHandlers((trpc) => [trpc.factors.list.queryFilter()]);
  const renew = useMutation(
    trpc.factors.renewRecoveryCodes.mutationOptions({
      ...handlers,
      onSuccess: ({ recovery_codes }) => onCodes(recovery_codes),
    }),
  );
  return (
    <Card
      title="Recovery codes"
      action={
        <ConfirmedButton
          busy={renew.isPending}
          title="Replace your recovery codes?"
          verb="Replace"
          question="The codes that you have now stop working."
          onConfirm={() => renew.mutate()}
        >
          Replace codes
        </ConfirmedButton>
      }
    >
      <p className={`text-sm leading-6 ${left < LOW ? "text-warning" : "text-soft"}`}>
        {describeLeft(left)} Each replaces your second factor once, for example when you lose your phone.
      </p>
    </Card>
  );
}

function describeLeft(left: number): string {
  if (left === 0) return "No codes are left.";
  return left === 1 ? "One code is left." : `${left} codes are left.`;
}
