"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { CreditCard } from "lucide-react";
import { useTRPC } from "../../../trpc/client";
import { Card } from "../../../ui/card";
import { Filters, FilterSelect } from "../../../ui/filter";
import { Link } from "../../../ui/link";
import { Money } from "../../../ui/money";
import { NotLoaded } from "../../../ui/not-loaded";
import { Notice } from "../../../ui/notice";
import { PageHeader } from "../../../ui/page-header";
import { Pager, useCursor } from "../../../ui/pager";
import { PaymentBadge, paymentKinds } from "../../../ui/payment-badge";
import { Table, Td, Th } from "../../../ui/table";
import { useDebouncedValue } from "../../../ui/use-debounced-value";
import { useSearch } from "../../../ui/use-search";
import { DateTime } from "../../../ui/values";
import { SearchBox } from "../../search-box";
import type { PaymentRow } from "../../types";
import { filterNames, readFilters } from "./read-filters";
import { RecordPayment } from "./record-payment";

/** Lists the payments of all accounts, with filters in the URL. */
export function Payments() {
  const { read, change } = useSearch();
  const settled = useDebouncedValue(JSON.stringify(readFilters(read)));
  const filters = JSON.parse(settled) as ReturnType<typeof readFilters>;
  const pager = useCursor(settled);
  const query = useQuery({
    ...useTRPC().admin.payments.list.queryOptions({ ...filters, before: pager.cursor }),
    placeholderData: keepPreviousData,
  });
  const { data } = query;
  return (
    <>
      <PageHeader title="Payments" action={<RecordPayment />}>
        Customer payments, by payment provider or bank transfer.
      </PageHeader>
      <Card flush title="Newest first">
        <Filters>
          <SearchBox
            label="Search payments"
            placeholder="E-mail address, account ID or payment ID"
            value={read("q") ?? ""}
            onChange={(value) => change("q", value)}
          />
          <FilterSelect
            label="Show"
            value={read("filter") ?? ""}
            onChange={({ target }) => change("filter", target.value)}
            any="All"
            options={Object.entries(filterNames).map(([value, label]) => ({ value, label }))}
          />
        </Filters>
        {data && data.data.length > 0 && <PaymentTable payments={data.data} />}
        {data?.data.length === 0 && (
          <Notice heading="h3" title="No payments" icon={<CreditCard size={20} />}>
            {settled === "{}"
              ? "Payments appear here once customers top up, or once you record a bank transfer."
              : "Search by a full e-mail address or ID, or show all."}
          </Notice>
        )}
        {!data && <NotLoaded what="The list" query={query} />}
        <Pager pager={pager} next={data?.next} />
      </Card>
    </>
  );
}

/** Lists payments of all accounts. */
const PaymentTable = ({ payments }: { payments: PaymentRow[] }) => (
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
  payment: { id, account, email, kind, note, state, error, amount, tax, created_at },
}: {
  payment: PaymentRow;
}) => (
  <tr>
    <Td className="w-full max-w-0">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="whitespace-normal wrap-anywhere">
          <Link href={`/admin/payments/${id}`} className="font-medium text-accent underline">
            {paymentKinds[kind]} of <Money euros={amount} decimals={2} />
          </Link>{" "}
          by{" "}
          <Link href={`/admin/accounts/${account}`} className="text-accent underline">
            {email}
          </Link>
        </span>
        <PaymentBadge state={state} />
      </p>
      {note && <span className="block truncate text-xs text-soft">{note}</span>}
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
