"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Sparkles } from "lucide-react";
import { useTRPC } from "../../trpc/client";
import { Card } from "../../ui/card";
import { Money } from "../../ui/money";
import { NotLoaded } from "../../ui/not-loaded";
import { PageHeader } from "../../ui/page-header";
import { Pager, useCursor } from "../../ui/pager";
import { useSearch } from "../../ui/use-search";
import { Button } from "../../ui/button";
import { Link } from "../../ui/link";
import { Notice } from "../../ui/notice";
import { GenerationFilters } from "./generation-filters";
import { GenerationTable, pollWhileActive } from "./generation-table";
import { readFilters } from "./read-filters";

const IDLE_POLL_INTERVAL_MS = 5_000;

export function Generations() {
  const { read, change } = useSearch();
  const filters = readFilters(read);
  const pager = useCursor(JSON.stringify(filters));
  const query = useQuery({
    ...useTRPC().generations.list.queryOptions({ ...filters, cursor: pager.cursor }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: "always",
    // New generations appear on the first page only; other pages change only while work is unfinished.
    refetchInterval: ({ state }) => pollWhileActive(state.data?.data ?? [], pager.isFirst && IDLE_POLL_INTERVAL_MS),
  });
  const { data } = query;
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
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
              {isFiltered ? "for this selection" : "billed"}
            </span>
          )
        }
      >
        <GenerationFilters {...filters} onChange={change} />
        {data && data.data.length > 0 && <GenerationTable generations={data.data} />}
        {data?.data.length === 0 && <NoGenerations isFiltered={isFiltered || !pager.isFirst} />}
        {!data && <NotLoaded what="The list" query={query} />}
        <Pager pager={pager} next={data?.next_cursor} />
      </Card>
    </>
  );
}

/** Shows the empty state of the list of generations. */
function NoGenerations({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    const action = (
      <Button asChild>
        <Link href="/generations">Clear filters</Link>
      </Button>
    );
    return (
      <Notice title="No matches" icon={<Sparkles size={20} />} action={action}>
        No generations match these filters.
      </Notice>
    );
  }
  const action = (
    <div className="flex flex-wrap justify-center gap-2">
      <Button kind="primary" asChild>
        <Link href="/playground">Open the playground</Link>
      </Button>
      <Button asChild>
        <Link href="/docs/quick-start">Quick start</Link>
      </Button>
    </div>
  );
  return (
    <Notice title="No generations yet" icon={<Sparkles size={20} />} action={action}>
      Try a model in the playground, or{" "}
      <Link href="/keys" className="text-accent underline">
        create an API key
      </Link>{" "}
      to call one from your app.
    </Notice>
  );
}
