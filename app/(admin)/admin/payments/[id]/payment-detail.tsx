"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "../../../../trpc/client";
import { useHubMutation } from "../../../../trpc/use-hub-mutation";
import { Badge } from "../../../../ui/badge";
import { Button } from "../../../../ui/button";
import { Card } from "../../../../ui/card";
import { Dialog } from "../../../../ui/dialog";
import { errorsOf } from "../../../../ui/errors-of";
import { readText, TextField } from "../../../../ui/form";
import { BackLink, Link } from "../../../../ui/link";
import { Money, MoneyLines } from "../../../../ui/money";
import { PageHeader } from "../../../../ui/page-header";
import { PaymentBadge, paymentKinds } from "../../../../ui/payment-badge";
import { Table, Td, Th } from "../../../../ui/table";
import { DateTime } from "../../../../ui/values";
import { OperatorForm } from "../../../operator-form";
import type { PaymentRecord } from "../../../types";
import { useIsOperator } from "../../../use-operator";

/** Shows a payment: its amounts, its refunds and its references at the provider. */
export function PaymentDetail({ id }: { id: string }) {
  const { data: payment } = useQuery(useTRPC().admin.payments.get.queryOptions({ id }));
  if (!payment) return null;
  const { email, account, kind, note, state, error, created_at } = payment;
  return (
    <>
      <BackLink href="/admin/payments">Payments</BackLink>
      <PageHeader title={note ?? paymentKinds[kind]} action={<PaymentActions payment={payment} />}>
        <span className="flex flex-wrap items-center gap-2">
          <span>
            By{" "}
            <Link href={`/admin/accounts/${account}`} className="text-accent underline">
              {email}
            </Link>
            , <DateTime at={created_at} />
          </span>
          <PaymentBadge state={state} />
        </span>
      </PageHeader>
      {error && (
        <p role="status" className="mb-6 rounded-xl border border-danger bg-danger-wash p-4 text-sm leading-6">
          {state === "pending" ? "Not credited" : "Needs attention"}: {error}
        </p>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-2 lg:items-start">
        <Card title="Amounts">
          <MoneyLines lines={listAmounts(payment)} />
        </Card>
        <Card title="At the provider">
          <Names payment={payment} />
        </Card>
        {payment.refunds.length > 0 && (
          <div className="lg:col-span-2">
            <Card flush title="Refunds">
              <RefundTable refunds={payment.refunds} />
            </Card>
          </div>
        )}
      </div>
    </>
  );
}

const listAmounts = ({ amount, tax, refunded, disputed, reinstated, reversed, refundable }: PaymentRecord) =>
  [
    { name: "Credit", euros: amount },
    { name: "Tax", euros: tax },
    { name: "Refunded, with tax", euros: refunded, isHidden: refunded === 0 },
    { name: "Disputed, with tax", euros: disputed, isHidden: disputed === 0 },
    { name: "Dispute won", euros: reinstated, isHidden: reinstated === 0 },
    { name: "Removed from the account", euros: reversed, isHidden: reversed === 0 },
    { name: "Refundable, with tax", euros: refundable },
  ].filter(({ isHidden }) => !isHidden);

function Names({
  payment: { id, provider, provider_ref, intent_ref, invoice_url, failure_code },
}: {
  payment: PaymentRecord;
}) {
  const names = {
    "Payment id": id,
    Provider: provider,
    Reference: provider_ref,
    Intent: intent_ref,
    Declined: failure_code,
  };
  return (
    <dl className="grid gap-3 text-sm">
      {Object.entries(names).map(
        ([name, value]) =>
          value && (
            <div key={name} className="flex justify-between gap-4">
              <dt className="shrink-0 text-soft">{name}</dt>
              <dd className="min-w-0 text-right wrap-anywhere">{value}</dd>
            </div>
          ),
      )}
      {invoice_url && (
        <a href={invoice_url} target="_blank" rel="noreferrer" className="text-accent hover:underline">
          Invoice
        </a>
      )}
    </dl>
  );
}

const refundStates = {
  refunding: ["accent", "Pending"],
  refunded: ["good", "Refunded"],
  failed: ["danger", "Rejected"],
} as const;

const RefundTable = ({ refunds }: { refunds: PaymentRecord["refunds"] }) => (
  <Table label="Refunds">
    <thead>
      <tr>
        <Th>Reason</Th>
        <Th className="text-right">Amount</Th>
      </tr>
    </thead>
    <tbody>
      {refunds.map(({ id, state, reason, error, amount, created_at }) => (
        <tr key={id}>
          <Td className="w-full max-w-0 whitespace-normal">
            <span className="flex flex-wrap items-center gap-2">
              <Badge tone={refundStates[state][0]}>{refundStates[state][1]}</Badge>
              <span className="min-w-0 wrap-anywhere">{reason}</span>
            </span>
            <span className="block text-xs text-soft">
              <DateTime at={created_at} />
            </span>
            {error && <span className="block text-xs wrap-anywhere text-danger">{error}</span>}
          </Td>
          <Td className="text-right font-medium">
            <Money euros={amount} decimals={2} />
          </Td>
        </tr>
      ))}
    </tbody>
  </Table>
);

/** Renders an operator's actions on a payment. */
function PaymentActions({ payment }: { payment: PaymentRecord }) {
  const [isRefunding, setRefunding] = useState(false);
  const lookUp = useHubMutation((trpc) => trpc.admin.payments.lookUp, {
    invalidates: (trpc) => [trpc.admin.pathFilter()],
    successToast: "Payment updated.",
  });
  if (!useIsOperator()) return null;
  const { id, provider, refundable, email } = payment;
  return (
    <div className="flex flex-wrap gap-2">
      {provider !== "manual" && (
        <Button busy={lookUp.isPending} onClick={() => lookUp.mutate({ id })}>
          Check with provider
        </Button>
      )}
      {refundable > 0 && <Button onClick={() => setRefunding(true)}>Refund</Button>}
      <Dialog open={isRefunding} onOpenChange={setRefunding} title={`Refund ${email}`}>
        <RefundForm payment={payment} onDone={() => setRefunding(false)} />
      </Dialog>
    </div>
  );
}

function RefundForm({ payment: { id, provider, refundable }, onDone }: { payment: PaymentRecord; onDone: () => void }) {
  const refund = useHubMutation((trpc) => trpc.admin.payments.refund, {
    invalidates: (trpc) => [trpc.admin.pathFilter()],
    showsError: true,
    successToast: "Refund recorded.",
    onSuccess: onDone,
  });
  return (
    <OperatorForm
      verb="Refund"
      kind="danger"
      busy={refund.isPending}
      error={refund.error}
      onSubmit={(form) =>
        refund.mutate({ id, amount: readText(form, "amount"), left: refundable, reason: readText(form, "reason") })
      }
    >
      <p className="text-sm leading-6 text-soft">
        {provider === "manual"
          ? "The credit is removed from the account. You return the money yourself."
          : "The credit is removed from the account, and the provider returns the money to the original payment method."}
      </p>
      <TextField
        name="amount"
        label="Amount with tax (EUR)"
        inputMode="decimal"
        autoComplete="off"
        required
        maxLength={30}
        defaultValue={refundable.toFixed(2)}
        data-missing="Enter an amount."
        hint={`Up to ${refundable.toFixed(2)}, the rest of the payment. It must be available on the account.`}
        error={errorsOf(refund.error)?.field("amount", "The amount")}
      />
    </OperatorForm>
  );
}
