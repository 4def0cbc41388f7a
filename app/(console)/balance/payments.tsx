"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { useEffect } from "react";
import { useTRPC } from "../../trpc/client";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Money } from "../../ui/money";
import { useSearch } from "../../ui/use-search";
import { useMutationHandlers } from "../../trpc/use-mutation-handlers";
import { AutomaticTopUp } from "./automatic-top-up";
import { PaymentTable } from "./payment-table";
import { TopUp } from "./top-up";

const POLL_INTERVAL_MS = 5_000;

/** Shows how the account pays: a top-up, the automatic one, and its payments. Renders nothing where nobody can pay. */
export function Payments() {
  const { data } = useQuery({ ...useTRPC().payments.get.queryOptions(), refetchInterval: POLL_INTERVAL_MS });
  const isBack = useReturn();
  if (!data) return null;
  const { isEnabled, owed, payments, hasInvoices } = data;
  return (
    <>
      {owed > 0 && (
        <p role="status" className="rounded-xl border border-danger bg-danger-wash p-4 text-sm leading-6">
          This account owes <Money euros={owed} /> because a payment was taken back after it was spent. Your next
          payments repay this first; until then, new requests are rejected.
        </p>
      )}
      {isBack && payments.some(({ state }) => state === "pending") && (
        <p role="status" className="rounded-xl border border-line bg-raised p-4 text-sm leading-6">
          Your payment is being processed. The credit appears here as soon as the money arrives.
        </p>
      )}
      {isEnabled && (
        <div className="grid gap-6 lg:grid-cols-2">
          <TopUp />
          <AutomaticTopUp settings={data} />
        </div>
      )}
      {payments.length > 0 && (
        <Card flush title="Payments" action={hasInvoices && <OpenPortal />}>
          <PaymentTable payments={payments} />
        </Card>
      )}
    </>
  );
}

/** Looks up the payment that the provider's page has sent the customer back from. Returns whether there is one. */
function useReturn(): boolean {
  const { read } = useSearch();
  const isBack = (read("payment") ?? read("method")) !== null;
  const { trpc, handlers } = useMutationHandlers((trpc) => [
    trpc.payments.pathFilter(),
    trpc.balance.pathFilter(),
    trpc.account.pathFilter(),
  ]);
  // Webhooks report the same, so a failure needs no message.
  const { mutate } = useMutation(trpc.payments.check.mutationOptions({ ...handlers, onError: () => undefined }));
  useEffect(() => {
    if (isBack) mutate();
  }, [isBack, mutate]);
  return isBack;
}

function OpenPortal() {
  const { trpc, handlers } = useMutationHandlers(() => []);
  const open = useMutation(
    trpc.payments.openPortal.mutationOptions({ ...handlers, onSuccess: ({ url }) => window.location.assign(url) }),
  );
  return (
    <Button busy={open.isPending || open.isSuccess} onClick={() => open.mutate()}>
      <ExternalLink size={16} aria-hidden />
      Invoices and payment methods
    </Button>
  );
}
