"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../trpc/client";
import { pollUnlessQuiet } from "../../trpc/quiet-page";
import { Card } from "../../ui/card";
import { NotLoaded } from "../../ui/not-loaded";
import { PageHeader } from "../../ui/page-header";
import { Pager, useCursor } from "../../ui/pager";
import { Segments } from "../../ui/segments";
import { useSearch } from "../../ui/use-search";
import { Count } from "../../ui/values";
import { pollWhileActive } from "../generations/poll-generations";
import { useLiveGenerations } from "../generations/use-live-generations";
import { NoRequests } from "./no-requests";
import { kinds, readFilters } from "./read-filters";
import { RequestFilters } from "./request-filters";
import { RequestTable } from "./request-table";
import type { ListedGeneration, Request } from "./types";

const IDLE_POLL_INTERVAL_MS = 5_000;

/** Lists generations and rejected requests together, and follows both. */
export function Requests() {
  const { read, change, changeAll } = useSearch();
  const filters = readFilters(read);
  const pager = useCursor(JSON.stringify(filters));
  const isLive = useLiveGenerations();
  const query = useQuery({
    ...useTRPC().requests.list.queryOptions({ ...filters, cursor: pager.cursor }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: "always",
    refetchInterval: ({ state }) => {
      const generations = (state.data?.data ?? []).filter(isGeneration);
      // No stream has rejected requests, so the first page is polled even while its generations are followed live.
      const idle = pager.isFirst && pollUnlessQuiet(IDLE_POLL_INTERVAL_MS);
      const active = pollWhileActive(generations, idle, isLive.current);
      return idle && active ? Math.min(idle, active) : active;
    },
  });
  const { data } = query;
  const show = (kind: string) => changeAll({ show: kind, code: "", request: "" });
  return (
    <>
      <PageHeader
        title="Requests"
        action={<Segments label="Show" options={kinds} value={filters.show ?? ""} onChange={show} />}
      >
        Generations and rejected requests as they happen, newest first, with their timings. Rejected requests are kept
        <KeptDays />, without their bodies. Reads are not logged.
      </PageHeader>
      <Card flush title="History">
        <RequestFilters filters={filters} onChange={change} />
        {data && data.data.length > 0 && <RequestTable requests={data.data} />}
        {data?.data.length === 0 && <NoRequests filters={filters} />}
        {!data && <NotLoaded what="The list" query={query} />}
        {data && data.dropped > 0 && (
          <p className="border-t border-line px-5 py-3 text-sm text-soft">
            <Count value={data.dropped} /> more rejected {data.dropped === 1 ? "request was" : "requests were"} not
            stored in this period: the hub keeps the first ones of each minute.
          </p>
        )}
        <Pager pager={pager} next={data?.next_cursor} />
      </Card>
    </>
  );
}

function KeptDays() {
  const { data: days } = useQuery(useTRPC().requests.keptDays.queryOptions());
  if (days === undefined) return null;
  return ` for ${days === 1 ? "1 day" : `${days} days`}`;
}

const isGeneration = (request: Request): request is ListedGeneration => request.kind === "generation";
