"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleX } from "lucide-react";
import { useTRPC } from "../../trpc/client";
import { Badge } from "../../ui/badge";
import { Count } from "../../ui/formats-context";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Link } from "../../ui/link";
import { NotLoaded } from "../../ui/not-loaded";
import { Notice } from "../../ui/notice";
import { PageHeader } from "../../ui/page-header";
import { Pager, useCursor } from "../../ui/pager";
import { Sample } from "../../ui/sample";
import { useSearch } from "../../ui/use-search";
import { readFilters } from "./read-filters";
import { RequestFilters } from "./request-filters";
import { RequestTable } from "./request-table";

const POLL_INTERVAL_MS = 5_000;

export function Requests() {
  const { read, change } = useSearch();
  const filters = readFilters(read);
  const pager = useCursor(JSON.stringify(filters));
  const query = useQuery({
    ...useTRPC().requests.list.queryOptions({ ...filters, cursor: pager.cursor }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: "always",
    refetchInterval: pager.isFirst && POLL_INTERVAL_MS,
  });
  const { data } = query;
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <>
      <PageHeader title="Requests">
        API requests of the last 7 days that were rejected, and why. Request and response bodies are not stored.
      </PageHeader>
      <Card flush title="Last 7 days">
        <RequestFilters filters={filters} onChange={change} />
        {data && data.data.length > 0 && <RequestTable requests={data.data} />}
        {data?.data.length === 0 && <NoRequests isFiltered={isFiltered} />}
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

const sample = (
  <Sample
    icon={<CircleX size={18} />}
    title="POST /api/v1/hub/generations"
    detail="model_not_found · my-app · 2 minutes ago"
    end={<Badge tone="warning">404</Badge>}
  />
);

/** Shows the empty state of the list. */
function NoRequests({ isFiltered }: { isFiltered: boolean }) {
  const action = (
    <Button asChild>
      {isFiltered ? <Link href="/requests">Clear filters</Link> : <Link href="/docs/hub/errors">View error codes</Link>}
    </Button>
  );
  return (
    <Notice
      heading="h3"
      title={isFiltered ? "No matches" : "No rejected requests"}
      icon={<CircleCheck size={20} />}
      sample={!isFiltered && sample}
      action={action}
    >
      {isFiltered
        ? "No rejected requests match these filters."
        : "When a request with one of your API keys fails, it appears here with its error for 7 days."}
    </Notice>
  );
}
