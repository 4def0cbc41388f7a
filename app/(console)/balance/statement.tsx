"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Download, ReceiptText } from "lucide-react";
import { describeTokens } from "../../tokens/describe-tokens";
import { useTRPC } from "../../trpc/client";
import { pollUnlessQuiet } from "../../trpc/quiet-page";
import type { Outputs } from "../../trpc/outputs";
import { useAccess, usePermission } from "../../ui/access-context";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { entryKindNames } from "../../ui/entry-kinds";
import { Filters, FilterSelect } from "../../ui/filter";
import { FilterDates } from "../../ui/filter-dates";
import { useFormats } from "../../ui/formats-context";
import { Link } from "../../ui/link";
import { countDecimals, Money } from "../../ui/money";
import { NotLoaded } from "../../ui/not-loaded";
import { Notice } from "../../ui/notice";
import { Pager } from "../../ui/pager";
import { Table, Td, Th } from "../../ui/table";
import { usePageInUrl } from "../../ui/use-page-in-url";
import { useSearch } from "../../ui/use-search";
import { DateTime } from "../../ui/values";
import { readFilters } from "./read-filters";

type Entry = Outputs["balance"]["statement"]["data"][number];

const POLL_INTERVAL_MS = 5_000;

/** Lists every credit and charge with the resulting balance. */
export function Statement() {
  const filters = readFilters(useSearch().read);
  const pager = usePageInUrl();
  const query = useQuery({
    ...useTRPC().balance.statement.queryOptions({ ...filters, cursor: pager.cursor }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: "always",
    // New entries appear on the first page only.
    refetchInterval: () => pager.isFirst && pollUnlessQuiet(POLL_INTERVAL_MS),
  });
  const { data } = query;
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <Card flush title="Statement" action={<ExportLink filters={filters} />}>
      <StatementFilterBar {...filters} onChange={pager.filter} />
      {data && data.data.length > 0 && <EntryTable entries={data.data} />}
      {data?.data.length === 0 && (
        <Notice heading="h3" title={isFiltered ? "No matches" : "No transactions yet"} icon={<ReceiptText size={20} />}>
          {isFiltered
            ? "No transactions match these filters."
            : "Credit you receive and charges for your generations appear here."}
        </Notice>
      )}
      {!data && <NotLoaded what="The statement" query={query} />}
      <Pager pager={pager} next={data?.next_cursor} />
    </Card>
  );
}

function ExportLink({ filters }: { filters: ReturnType<typeof readFilters> }) {
  const { isViewing } = useAccess();
  if (isViewing) return null;
  const applied = Object.entries(filters).flatMap(([name, value]) => (value ? [[name, value]] : []));
  const query = new URLSearchParams(applied).toString();
  return (
    <Button asChild>
      <a href={`/balance/export${query && `?${query}`}`} download>
        <Download size={16} aria-hidden />
        Export CSV
      </a>
    </Button>
  );
}

type FilterProps = ReturnType<typeof readFilters> & { onChange: (name: string, value: string) => void };

const StatementFilterBar = ({ kind, from, to, onChange }: FilterProps) => (
  <Filters aria-label="Filters">
    <FilterSelect
      label="Kind"
      value={kind ?? ""}
      onChange={(event) => onChange("kind", event.target.value)}
      options={Object.entries(entryKindNames).map(([value, label]) => ({ value, label }))}
    />
    <FilterDates from={from} to={to} onChange={onChange} />
    <span className="text-xs text-soft">Dates in UTC</span>
  </Filters>
);

function EntryTable({ entries }: { entries: Entry[] }) {
  const { timeZone } = useFormats();
  const decimals = countDecimals(entries.flatMap(({ amount, balance_after }) => [amount, balance_after]));
  return (
    <>
      <Table label="Transactions">
        <thead>
          <tr>
            <Th>Description</Th>
            <Th className="max-md:hidden">Date</Th>
            <Th className="text-right">Amount</Th>
            <Th className="text-right max-sm:hidden">Balance</Th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <Row key={entry.id} entry={entry} decimals={decimals} />
          ))}
        </tbody>
      </Table>
      <p className="px-5 py-3 text-xs text-soft">Times in {timeZone.replaceAll("_", " ")}.</p>
    </>
  );
}

const Row = ({ entry, decimals }: { entry: Entry; decimals: number }) => (
  <tr>
    <Td className="w-full max-w-0 max-sm:pr-0">
      <span className="flex min-w-0 items-center gap-2">
        <Badge tone={entry.kind === "credit" || entry.kind === "promotional" ? "good" : "neutral"}>
          {entryKindNames[entry.kind]}
        </Badge>
        <EntryTitle entry={entry} />
      </span>
      <ChargeDetails entry={entry} />
      <span className="mt-1 block text-xs whitespace-normal text-soft md:hidden">
        <DateTime at={entry.created_at} />
        <span className="sm:hidden">
          {" "}
          · balance <Money decimals={decimals} euros={entry.balance_after} />
        </span>
      </span>
    </Td>
    <Td className="text-soft max-md:hidden">
      <DateTime at={entry.created_at} />
    </Td>
    <Td className="text-right font-medium">
      {entry.amount > 0 && "+"}
      <Money decimals={decimals} euros={entry.amount} />
    </Td>
    <Td className="text-right max-sm:hidden">
      <Money decimals={decimals} euros={entry.balance_after} className="text-soft" />
    </Td>
  </tr>
);

function EntryTitle({ entry: { kind, generation_id, model, note, reference, charge } }: { entry: Entry }) {
  const canRead = usePermission("read");
  const text = generation_id ? (charge?.title ?? model ?? "") : describeTransaction({ kind, note, reference });
  if (!generation_id || !canRead) {
    return (
      <span className="truncate" title={text}>
        {text}
      </span>
    );
  }
  return (
    <Link href={`/generations/${generation_id}`} className="touch-target truncate hover:underline" title={text}>
      {text}
    </Link>
  );
}

/** Describes an entry without a generation, and leaves out the hub's internal references of payments. */
function describeTransaction({ kind, note, reference }: Pick<Entry, "kind" | "note" | "reference">): string {
  if (kind === "repayment") return "Debt repaid";
  return [note, /^(payment|closing|voucher):/.test(reference ?? "") ? null : reference].filter(Boolean).join(" · ");
}

/** Names the model, the key and the tokens of a charge, and explains the price of an account with a price book. */
function ChargeDetails({
  entry: { generation_id, model, charge, usage, amount, promotional, price },
}: {
  entry: Entry;
}) {
  const { number } = useFormats();
  if (!generation_id) return null;
  return (
    <>
      <span className="mt-1 block truncate text-xs text-soft">
        {charge?.title && `${model} · `}
        {charge?.key_name ? `Key “${charge.key_name}”` : "Console"}
        {usage && ` · ${describeTokens(usage, number)}`}
        {promotional < 0 && ` · ${promotional === amount ? "promotional credit" : "partly promotional credit"}`}
      </span>
      {price && <span className="mt-1 block text-xs whitespace-normal text-soft">{price}</span>}
    </>
  );
}
