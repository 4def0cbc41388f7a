"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ScrollText } from "lucide-react";
import { useTRPC } from "../../../trpc/client";
import { Card } from "../../../ui/card";
import { Input } from "../../../ui/controls";
import { Filters, FilterSelect } from "../../../ui/filter";
import { Link } from "../../../ui/link";
import { NotLoaded } from "../../../ui/not-loaded";
import { Notice } from "../../../ui/notice";
import { PageHeader } from "../../../ui/page-header";
import { Pager, useCursor } from "../../../ui/pager";
import { Table, Td, Th } from "../../../ui/table";
import { useDebouncedValue } from "../../../ui/use-debounced-value";
import { useSearch } from "../../../ui/use-search";
import { DateTime } from "../../../ui/values";
import { type Action, describeOperator, describeTarget, verbOf } from "./describe-action";
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
        Every change by an operator, in this console or on the command line. Entries can’t be edited or deleted.
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
            Suspensions, credits, catalogue changes and other operator actions appear here.
          </Notice>
        )}
        {!data && <NotLoaded what="The log" query={query} />}
        <Pager pager={pager} next={data?.next} />
      </Card>
    </>
  );
}

const labels = { operator: "Operator", target: "Target ID" };

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

/** Lists operator actions as sentences, with what they changed. */
const ActionTable = ({ actions }: { actions: Action[] }) => (
  <Table label="Audit log">
    <thead>
      <tr>
        <Th>Entry</Th>
        <Th className="max-md:hidden">Time</Th>
      </tr>
    </thead>
    <tbody>
      {actions.map((action) => (
        <tr key={action.id} className="align-top">
          <Td className="w-full max-w-0 whitespace-normal">
            <Sentence action={action} />
            <Change action={action} />
            {action.reason && (
              <span className="block text-xs leading-5 wrap-anywhere text-soft">“{action.reason}”</span>
            )}
            <span className="block text-xs leading-5 text-soft md:hidden">
              <DateTime at={action.created_at} />
            </span>
          </Td>
          <Td className="text-soft max-md:hidden">
            <DateTime at={action.created_at} />
            <span className="block text-xs">{action.address}</span>
          </Td>
        </tr>
      ))}
    </tbody>
  </Table>
);

/** Says who did what to what: "ada@example.org suspended account 7." */
function Sentence({ action }: { action: Action }) {
  const { text, href } = describeTarget(action);
  return (
    <p className="text-sm leading-6 wrap-anywhere" title={action.action}>
      <span className="font-medium">{describeOperator(action)}</span> {verbOf(action)}{" "}
      {href ? (
        <Link href={href} className="text-accent underline">
          {text}
        </Link>
      ) : (
        text
      )}
      .
    </p>
  );
}

/** Returns a value as text; empty if it is not set. */
function formatValue(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Shows the fields that changed: "suspended: false → true". */
function Change({ action: { before, after, details } }: { action: Action }) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const parts = [
    ...names.map((name) => {
      const [old, next] = [before?.[name], after?.[name]].map(formatValue);
      return `${name}: ${[old, next].filter(Boolean).join(" → ")}`;
    }),
    ...Object.entries(details ?? {}).map(([name, value]) => `${name}: ${String(value)}`),
  ];
  return <span className="block text-xs leading-5 wrap-anywhere text-soft">{parts.join(", ")}</span>;
}
