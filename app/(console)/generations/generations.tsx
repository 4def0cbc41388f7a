"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../trpc/client";
import { Card } from "../../ui/card";
import { Money } from "../../ui/money";
import { NotLoaded } from "../../ui/not-loaded";
import { PageHeader } from "../../ui/page-header";
import { Pager, useCursor } from "../../ui/pager";
import { useSearch } from "../../ui/use-search";
import { GenerationFilters } from "./generation-filters";
import { GenerationTable } from "./generation-table";
import { pollWhileActive } from "./poll-while-active";
import { NoGenerations } from "./no-generations";
import { readFilters } from "./read-filters";

const QUIET_MS = 5_000;

export function Generations() {
  const { read, change } = useSearch();
  const filters = readFilters(read);
  const at = useCursor(JSON.stringify(filters));
  const query = useQuery({
    ...useTRPC().generations.list.queryOptions({ ...filters, cursor: at.cursor }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: "always",
    // What is new appears on the first page; on the others only unfinished work changes. A hidden page asks nothing.
    refetchInterval: ({ state }) => pollWhileActive(state.data?.data ?? [], at.isFirst && QUIET_MS),
  });
  const { data } = query;
  const isNarrowed = Object.values(filters).some((value) => value !== undefined);
  return (
    <>
      <PageHeader title="Generations">All your generations, newest first. Running ones update live.</PageHeader>
      <Card
        flush
        title="History"
        action={
          data && (
            <span className="text-sm text-soft">
              <Money euros={data.total_billed} className="font-medium text-ink" />{" "}
              {isNarrowed ? "for this selection" : "billed"}
            </span>
          )
        }
      >
        <GenerationFilters {...filters} onChange={change} />
        {data && data.data.length > 0 && <GenerationTable generations={data.data} />}
        {data?.data.length === 0 && <NoGenerations isNarrowed={isNarrowed || !at.isFirst} />}
        {!data && <NotLoaded what="The list" query={query} />}
        <Pager at={at} next={data?.next_cursor} />
      </Card>
    </>
  );
}
