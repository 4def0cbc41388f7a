"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { FolderHeart } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useTRPC } from "../../trpc/client";
import { pollUnlessQuiet } from "../../trpc/quiet-page";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Link } from "../../ui/link";
import { Money } from "../../ui/money";
import { NotLoaded } from "../../ui/not-loaded";
import { PageHeader } from "../../ui/page-header";
import { Pager } from "../../ui/pager";
import { partNotLoaded } from "../../ui/part-not-loaded";
import { Segments } from "../../ui/segments";
import { useSelection } from "../../ui/selection";
import { usePageInUrl } from "../../ui/use-page-in-url";
import { useSearch } from "../../ui/use-search";
import { BulkActions } from "./bulk-actions";
import { GenerationFilters } from "./generation-filters";
import { GenerationTable } from "./generation-table";
import { pollWhileActive } from "./poll-generations";
import { listRows, noRows } from "./list-rows";
import { NoGenerations } from "./no-generations";
import { readFilters } from "./read-filters";
import { useLiveGenerations } from "./use-live-generations";
import { readView, type View, VIEW_COOKIE, views } from "./view";

const IDLE_POLL_INTERVAL_MS = 5_000;
const YEAR_S = 31_536_000;

// Loaded on demand: the list is the default.
const Favourites = dynamic(() => import("./favourites/favourites").then((module) => module.Favourites, partNotLoaded));
const GenerationGrid = dynamic(() =>
  import("./generation-grid").then((module) => module.GenerationGrid, partNotLoaded),
);

const shown = [
  { value: "", label: "All" },
  { value: "yes", label: "Favourites" },
] as const;

/** Lists the account's generations or its favourites; `initialView` is how the server rendered them. */
export function Generations({ initialView }: { initialView: View }) {
  const { read, changeAll } = useSearch();
  const { view, chooseView } = useView(initialView);
  const isFavourites = read("favourites") === "yes";
  return (
    <>
      <PageHeader
        title="Generations"
        action={
          <div className="flex flex-wrap gap-3">
            <Segments
              label="Show"
              options={shown}
              value={isFavourites ? "yes" : ""}
              onChange={(favourites) => changeAll({ favourites, cursor: "" })}
            />
            <Segments label="View" options={views} value={view} onChange={chooseView} />
            <Button asChild>
              <Link href="/generations/collections">
                <FolderHeart size={16} aria-hidden />
                Collections
              </Link>
            </Button>
          </div>
        }
      >
        All your generations, newest first. Running ones update live.
      </PageHeader>
      {isFavourites ? <Favourites view={view} /> : <History view={view} />}
    </>
  );
}

function History({ view }: { view: View }) {
  const { read } = useSearch();
  const filters = readFilters(read);
  const pager = usePageInUrl();
  const isLive = useLiveGenerations();
  const query = useQuery({
    ...useTRPC().generations.list.queryOptions({ ...filters, cursor: pager.cursor }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: "always",
    // New generations appear on the first page only; other pages change only while work is unfinished.
    refetchInterval: ({ state }) =>
      pollWhileActive(
        listRows(state.data ?? noRows),
        pager.isFirst && pollUnlessQuiet(IDLE_POLL_INTERVAL_MS),
        isLive.current,
      ),
  });
  const { data } = query;
  const { data: generations, batches } = data ?? noRows;
  const selection = useSelection(generations.map(({ id }) => id));
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const Rows = view === "grid" ? GenerationGrid : GenerationTable;
  return (
    <Card flush title="History" action={data && <Total {...data} isFiltered={isFiltered} />}>
      <GenerationFilters filters={filters} onChange={pager.filter} />
      <p role="status" className="sr-only">
        {filters.q && !query.isPlaceholderData && describeCount(data)}
      </p>
      {generations.length + batches.length > 0 ? (
        <>
          <BulkActions selection={selection} generations={generations} />
          <Rows generations={generations} batches={batches} selection={selection} />
        </>
      ) : data ? (
        <NoGenerations isFiltered={isFiltered || !pager.isFirst} />
      ) : (
        <NotLoaded what="The list" query={query} />
      )}
      <Pager pager={pager} next={data?.next_cursor} />
    </Card>
  );
}

/** Stores the view in the URL, and in a cookie for the next visit. */
function useView(initial: View) {
  const { read, change } = useSearch();
  const [chosen, setChosen] = useState(initial);
  const chooseView = (view: View) => {
    setChosen(view);
    document.cookie = `${VIEW_COOKIE}=${view}; path=/; max-age=${YEAR_S}; samesite=lax`;
    change("view", view);
  };
  return { view: readView(read, chosen), chooseView };
}

/** Returns how many generations a search has found, for screen readers. */
function describeCount(page: { data: unknown[]; next_cursor: string | null } | undefined): string | undefined {
  if (!page) return undefined;
  const count = page.data.length;
  if (page.next_cursor) return `More than ${count} generations found`;
  return count === 1 ? "1 generation found" : `${count} generations found`;
}

interface TotalProps {
  total_billed: number;
  total_is_partial?: true;
  isFiltered: boolean;
}

const Total = ({ total_billed, total_is_partial, isFiltered }: TotalProps) => (
  <span className="text-sm text-soft">
    <Money euros={total_billed} className="font-medium text-ink" />{" "}
    {total_is_partial ? "for the newest of this selection" : isFiltered ? "for this selection" : "billed"}
  </span>
);
