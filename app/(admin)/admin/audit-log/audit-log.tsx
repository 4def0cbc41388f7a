"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ScrollText } from "lucide-react";
import { useTRPC } from "../../../trpc/client";
import { Card } from "../../../ui/card";
import { Input } from "../../../ui/controls";
import { Filters, FilterSelect } from "../../../ui/filter";
import { NotLoaded } from "../../../ui/not-loaded";
import { Notice } from "../../../ui/notice";
import { PageHeader } from "../../../ui/page-header";
import { Pager, useCursor } from "../../../ui/pager";
import { useDebouncedValue } from "../../../ui/use-debounced-value";
import { useSearch } from "../../../ui/use-search";
import { ActionTable } from "./action-table";
import { readFilters } from "./read-filters";

/** Shows every change by an operator, with filters in the URL. */
export function AuditLog() {
  const trpc = useTRPC();
  const { read, change } = useSearch();
  const settled = useDebouncedValue(JSON.stringify(readFilters(read)));
  const filters = JSON.parse(settled) as ReturnType<typeof readFilters>;
  const pager = useCursor(settled);
  const query = useQuery({
    ...trpc.admin.auditLog.list.queryOptions({ ...filters, before: pager.cursor }),
    placeholderData: keepPreviousData,
  });
  const { data: names = [] } = useQuery(trpc.admin.auditLog.actions.queryOptions());
  const { data } = query;
  return (
    <>
      <PageHeader title="Audit log">
        Every change by an operator, in this console or by a command. Nobody can edit or delete it.
      </PageHeader>
      <Card flush title="Newest first">
        <Filters>
          <FilterSelect
            label="Action"
            value={read("action") ?? ""}
            onChange={({ target }) => change("action", target.value)}
          >
            <option value="">All</option>
            {names.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </FilterSelect>
          {(["operator", "target"] as const).map((name) => (
            <FilterText
              key={name}
              label={labels[name]}
              value={read(name) ?? ""}
              onChange={(value) => change(name, value)}
            />
          ))}
        </Filters>
        {data && data.data.length > 0 && <ActionTable actions={data.data} />}
        {data?.data.length === 0 && (
          <Notice heading="h3" title="No entries" icon={<ScrollText size={20} />}>
            Suspensions, credits, changes of the catalogue and other acts of operators appear here.
          </Notice>
        )}
        {!data && <NotLoaded what="The log" query={query} />}
        <Pager pager={pager} next={data?.next} />
      </Card>
    </>
  );
}

const labels = { operator: "Operator", target: "Target id" };

const FilterText = ({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) => (
  <label className="flex min-w-0 items-center gap-2 text-sm text-soft max-sm:w-full max-sm:justify-between">
    {label}
    <Input
      value={value}
      maxLength={300}
      onChange={({ target }) => onChange(target.value)}
      className="min-h-9 min-w-0 rounded-lg border border-strong-line bg-raised px-2.5 text-base text-ink max-sm:w-3/5 sm:w-44 sm:text-sm pointer-coarse:min-h-11"
    />
  </label>
);
