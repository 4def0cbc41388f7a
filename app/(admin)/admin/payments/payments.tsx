"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { CreditCard } from "lucide-react";
import { useTRPC } from "../../../trpc/client";
import { Card } from "../../../ui/card";
import { Filters, FilterSelect } from "../../../ui/filter";
import { NotLoaded } from "../../../ui/not-loaded";
import { Notice } from "../../../ui/notice";
import { PageHeader } from "../../../ui/page-header";
import { Pager, useCursor } from "../../../ui/pager";
import { useDebouncedValue } from "../../../ui/use-debounced-value";
import { useSearch } from "../../../ui/use-search";
import { SearchBox } from "../../search-box";
import { PaymentTable } from "./payment-table";
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
        What customers paid, by a provider or by bank transfer.
      </PageHeader>
      <Card flush title="Newest first">
        <Filters>
          <SearchBox
            label="Search payments"
            placeholder="E-mail address or id of an account, or id of a payment"
            value={read("q") ?? ""}
            onChange={(value) => change("q", value)}
          />
          <FilterSelect
            label="Show"
            value={read("filter") ?? ""}
            onChange={({ target }) => change("filter", target.value)}
          >
            <option value="">All</option>
            {Object.entries(filterNames).map(([filter, name]) => (
              <option key={filter} value={filter}>
                {name}
              </option>
            ))}
          </FilterSelect>
        </Filters>
        {data && data.data.length > 0 && <PaymentTable payments={data.data} />}
        {data?.data.length === 0 && (
          <Notice heading="h3" title="No payments" icon={<CreditCard size={20} />}>
            {settled === "{}"
              ? "Payments appear here once customers top up, or once you record a bank transfer."
              : "Search by a whole address or id, or show all."}
          </Notice>
        )}
        {!data && <NotLoaded what="The list" query={query} />}
        <Pager pager={pager} next={data?.next} />
      </Card>
    </>
  );
}
