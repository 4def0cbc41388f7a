import { DateTime } from "../../ui/formats-context";
import { Money } from "../../ui/money";
import { PaymentBadge, paymentKinds } from "../../ui/payment-badge";
import { Table, Td, Th } from "../../ui/table";
import type { Payment } from "./payment-types";

/** Lists payments, newest first. */
export const PaymentTable = ({ payments }: { payments: Payment[] }) => (
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
