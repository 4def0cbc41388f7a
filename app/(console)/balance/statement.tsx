"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Download, ReceiptText } from "lucide-react";
import { useTRPC } from "../../trpc/client";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { NotLoaded } from "../../ui/not-loaded";
import { Notice } from "../../ui/notice";
import { Pager, useCursor } from "../../ui/pager";
import { useSearch } from "../../ui/use-search";
import { EntryTable } from "./entry-table";
import { readFilters } from "./read-filters";
import { StatementFilterBar } from "./statement-filter-bar";

/** Every credit and charge, with the balance after it. */
export function Statement() {
  const { read, change } = useSearch();
  const filters = readFilters(read);
  const at = useCursor(JSON.stringify(filters));
  const query = useQuery({
    ...useTRPC().balance.statement.queryOptions({ ...filters, cursor: at.cursor }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: "always",
  });
  const { data } = query;
  const isNarrowed = Object.values(filters).some((value) => value !== undefined);
  return (
    <Card flush title="Statement" action={<ExportLink filters={filters} />}>
      <StatementFilterBar {...filters} onChange={change} />
      {data && data.data.length > 0 && <EntryTable entries={data.data} />}
      {data?.data.length === 0 && (
        <Notice title={isNarrowed ? "No matches" : "No transactions yet"} icon={<ReceiptText size={20} />}>
          {isNarrowed
            ? "No transactions match these filters."
            : "Credit you receive and charges for your generations appear here."}
        </Notice>
      )}
      {!data && <NotLoaded what="The statement" query={query} />}
      <Pager at={at} next={data?.next_cursor} />
    </Card>
  );
}

function ExportLink({ filters }: { filters: ReturnType<typeof readFilters> }) {
  const given = Object.entries(filters).flatMap(([name, value]) => (value ? [[name, value]] : []));
  const query = new URLSearchParams(given).toString();
  return (
    <Button asChild>
      <a href={`/balance/export${query && `?${query}`}`} download>
        <Download size={16} aria-hidden />
        Export CSV
      </a>
    </Button>
  );
}
