"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { useEffect, useState } from "react";
import { useTRPC } from "../../trpc/client";
import { pollUnlessQuiet } from "../../trpc/quiet-page";
import { useHubMutation } from "../../trpc/use-hub-mutation";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { errorsOf } from "../../ui/errors-of";
import { CheckField, Form, FormError, readText, TextField } from "../../ui/form";
import { useFormats } from "../../ui/formats-context";
import { addVatToCents } from "../../ui/gross";
import { Money } from "../../ui/money";
import { PaymentBadge, paymentKinds } from "../../ui/payment-badge";
import { useShownPrices } from "../../ui/shown-prices";
import { Table, Td, Th } from "../../ui/table";
import { useSearch } from "../../ui/use-search";
import { DateTime } from "../../ui/values";
import { AutomaticTopUp } from "./automatic-top-up";
import type { Payment } from "./payment-types";

const POLL_INTERVAL_MS = 5_000;

/** Shows top-ups and payments; renders nothing on a hub without payments. */
export function Payments() {
  const { data } = useQuery({
    ...useTRPC().payments.get.queryOptions(),
    refetchInterval: () => pollUnlessQuiet(POLL_INTERVAL_MS),
  });
  const isBack = useReturn();
  if (!data) return null;
  const { isEnabled, owed, payments, hasInvoices } = data;
  return (
    <>
      {owed > 0 && (
        <p role="status" className="rounded-xl border border-danger bg-danger-wash p-4 text-sm leading-6">
          This account owes <Money euros={owed} /> because a payment was taken back after it was spent. Your next
          payments repay this first; until then, only promotional credit can be spent.
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

/** Refreshes payments when a customer returns from the provider's page. Returns whether they have. */
function useReturn(): boolean {
  const { read } = useSearch();
  const isBack = (read("payment") ?? read("method")) !== null;
  const { mutate } = useHubMutation((trpc) => trpc.payments.check, {
    invalidates: (trpc) => [trpc.payments.pathFilter(), trpc.balance.pathFilter(), trpc.account.pathFilter()],
    // Webhooks report the same, so a failure needs no message.
    showsError: true,
  });
  useEffect(() => {
    if (isBack) mutate();
  }, [isBack, mutate]);
  return isBack;
}

function OpenPortal() {
  const open = useHubMutation((trpc) => trpc.payments.openPortal, {
    onSuccess: ({ url }) => window.location.assign(url),
  });
  return (
    <Button busy={open.isPending || open.isSuccess} onClick={() => open.mutate()}>
      <ExternalLink size={16} aria-hidden />
      Invoices and payment methods
    </Button>
  );
}

/** Lists payments, newest first. */
const PaymentTable = ({ payments }: { payments: Payment[] }) => (
  <Table label="Payments">
    <thead>
      <tr>
        <Th>Payment</Th>
        <Th className="max-md:hidden">Date</Th>
        <Th className="text-right max-sm:hidden">Tax</Th>
        <Th className="text-right">Credit</Th>
      </tr>
    </thead>
    <tbody>
      {payments.map((payment) => (
        <Row key={payment.id} payment={payment} />
      ))}
    </tbody>
  </Table>
);

const Row = ({ payment: { kind, state, note, tax, amount, invoice_url, created_at } }: { payment: Payment }) => (
  <tr>
    <Td className="w-full max-w-0 max-sm:pr-0">
      <span className="flex min-w-0 flex-wrap items-center gap-2">
        <PaymentBadge state={state} />
        <span className="truncate">{note ?? paymentKinds[kind]}</span>
        {invoice_url && (
          <a href={invoice_url} target="_blank" rel="noreferrer" className="touch-target text-accent hover:underline">
            Invoice
          </a>
        )}
      </span>
      <span className="mt-1 block text-xs whitespace-normal text-soft md:hidden">
        <DateTime at={created_at} />
      </span>
    </Td>
    <Td className="text-soft max-md:hidden">
      <DateTime at={created_at} />
    </Td>
    <Td className="text-right text-soft max-sm:hidden">
      <Money euros={tax} />
    </Td>
    <Td className="text-right font-medium">
      <Money euros={amount} />
    </Td>
  </tr>
);

/** Returns the hint for an amount to top up: what it costs, with VAT. */
function useTopUpHint(amount: string): string {
  const { vat, addsTax } = useShownPrices();
  const { euros } = useFormats();
  if (vat === null) return `At least €5. ${addsTax ? "VAT" : "Any tax"} is added on the payment page.`;
  const cents = readCents(amount);
  const cost = cents === null ? "" : `With ${vat}% VAT you pay ${euros(addVatToCents(cents, vat) / 100, 2, 2)}. `;
  return `Credit without VAT, at least €5. ${cost}The payment page shows the VAT of your country.`;
}

/** Returns a typed amount in cents; null for any other text. */
const readCents = (amount: string): number | null =>
  /^\d{1,7}([.,]\d{1,2})?$/.test(amount.trim()) ? Math.round(Number(amount.trim().replace(",", ".")) * 100) : null;

/** Lets the customer choose an amount, and continues on the provider's page. */
function TopUp() {
  const topUp = useMutation(
    useTRPC().payments.topUp.mutationOptions({ onSuccess: ({ url }) => window.location.assign(url) }),
  );
  const submit = (fields: FormData) =>
    topUp.mutate({ amount: readText(fields, "amount"), saves_method: fields.has("saves_method") });
  const errors = errorsOf(topUp.error);
  const [amount, setAmount] = useState("25");
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
          onChange={(event) => setAmount(event.target.value)}
          hint={useTopUpHint(amount)}
          error={errors?.field("amount")}
        />
        <CheckField
          name="saves_method"
          label="Save this payment method"
          hint="For automatic top-ups. You can remove it at any time."
        />
        <FormError>{errors?.messageUnlessAt("amount")}</FormError>
        <div>
          <Button kind="primary" type="submit" busy={topUp.isPending || topUp.isSuccess}>
            Continue to payment
          </Button>
        </div>
      </Form>
    </Card>
  );
}
