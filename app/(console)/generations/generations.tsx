"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../trpc/client";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { errorsOf } from "../../ui/errors-of";
import { Money } from "../../ui/money";
import { Notice } from "../../ui/notice";
import { PageHeader } from "../../ui/page-header";
import { Pager, useCursor } from "../../ui/pager";
import { useSearch } from "../../ui/use-search";
import { GenerationFilters } from "./generation-filters";
import { GenerationTable } from "./generation-table";
import { NoGenerations } from "./no-generations";
import { readFilters } from "./read-filters";

const BUSY_MS = 2_000;

export function Generations() {
  const { read, change } = useSearch();
  const at = useCursor();
  const filters = readFilters(read);
  const { data, error, refetch } = useQuery({
    ...useTRPC().generations.list.queryOptions({ ...filters, cursor: at.cursor }),
    placeholderData: keepPreviousData,
    // Whoever comes back to the page sees what is new; in between only unfinished work can change.
    refetchOnWindowFocus: "always",
    refetchInterval: ({ state }) => state.data?.data.some((one) => one.completed_at === null) && BUSY_MS,
  });
  const narrow = (name: string, value: string) => {
    at.reset();
    change(name, value);
  };
  const isNarrowed = Object.values(filters).some((value) => value !== undefined);
  return (
    <>
      <PageHeader title="Generations">
        Everything that was asked of a model, newest first, with what it costs. What is not finished moves by itself.
      </PageHeader>
      <Card
        flush
        title="History"
        action={
          data && (
            <span className="text-sm text-soft">
              <Money euros={data.total_billed} className="font-medium text-ink" /> billed{isNarrowed && " for these"}
            </span>
          )
        }
      >
        <GenerationFilters {...filters} onChange={narrow} />
        {data && data.data.length > 0 && <GenerationTable generations={data.data} />}
        {data?.data.length === 0 && <NoGenerations isNarrowed={isNarrowed || !at.isFirst} />}
        {!data && (
          <Notice
            title="The list could not be loaded"
            action={<Button onClick={() => void refetch()}>Try again</Button>}
          >
            {errorsOf(error)?.message}
          </Notice>
        )}
        <Pager at={at} next={data?.next_cursor} />
      </Card>
    </>
  );
}
