"use client";

import { useMutation } from "@tanstack/react-query";
import { useMutationHandlers } from "../../../trpc/use-mutation-handlers";
import { Card } from "../../../ui/card";
import { CheckField } from "../../../ui/field";

interface Props {
  email: string;
  isDemanded: boolean;
  hasFactor: boolean;
}

/** Lets an owner demand a second factor of everybody who acts for the account. */
export function AccountDemand({ email, isDemanded, hasFactor }: Props) {
  const { trpc, toast, handlers } = useMutationHandlers((trpc) => [trpc.factors.list.queryFilter()]);
  const demand = useMutation(
    trpc.factors.demand.mutationOptions({
      ...handlers,
      onSuccess: (_, { is_demanded }) =>
        toast({ text: is_demanded ? "Members now need a second factor." : "A second factor is optional now." }),
    }),
  );
  const isShown = demand.isPending ? demand.variables.is_demanded : isDemanded;
  const hint =
    hasFactor || isDemanded
      ? "Members without one set it up when they sign in the next time. API keys go on working."
      : "Add a passkey or an authenticator app for yourself first.";
  return (
    <Card title={`Account ${email}`}>
      <CheckField
        label="Require a second factor"
        hint={hint}
        checked={isShown}
        disabled={!hasFactor && !isDemanded}
        onChange={(event) => demand.mutate({ is_demanded: event.target.checked })}
      />
    </Card>
  );
}
