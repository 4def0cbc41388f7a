import { DateTime } from "../../../ui/formats-context";
import { Link } from "../../../ui/link";
import { Money } from "../../../ui/money";
import { PaymentBadge, paymentKinds } from "../../../ui/payment-badge";
import { Table, Td, Th } from "../../../ui/table";
import type { PaymentRow } from "../../types";

/** Lists payments of all accounts. */
export const PaymentTable = ({ payments }: { payments: PaymentRow[] }) => (
  <Table label="Payments">
    <thead>
      <tr>
        <Th>Payment</Th>
        <Th className="max-lg:hidden">Date</Th>
        <Th className="text-right max-md:hidden">Tax</Th>
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

const Row = ({
  payment: { id, email, kind, note, state, error, amount, tax, created_at },
}: {
  payment: PaymentRow;
}) => (
  <tr>
    <Td className="w-full max-w-0">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Link href={`/admin/payments/${id}`} className="max-w-full truncate font-medium hover:underline" title={email}>
          {email}
        </Link>
        <PaymentBadge state={state} />
      </span>
      <span className="block truncate text-xs text-soft">{note ?? paymentKinds[kind]}</span>
      {error && <span className="block text-xs whitespace-normal text-danger">{error}</span>}
      <span className="block text-xs text-soft lg:hidden">
        <DateTime at={created_at} />
      </span>
    </Td>
    <Td className="text-soft max-lg:hidden">
      <DateTime at={created_at} />
    </Td>
    <Td className="text-right text-soft max-md:hidden">
      <Money euros={tax} decimals={2} />
    </Td>
    <Td className="text-right font-medium">
      <Money euros={amount} decimals={2} />
    </Td>
  </tr>
);
