"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Sparkles } from "lucide-react";
import type { RefObject } from "react";
import { useTRPC } from "../../../trpc/client";
import { statusWords } from "../../../ui/badge";
import { Card } from "../../../ui/card";
import { CopyButton } from "../../../ui/copy-button";
import { FilterSelect } from "../../../ui/filter";
import { BackLink } from "../../../ui/link";
import { MoneyLines } from "../../../ui/money";
import { NotLoaded } from "../../../ui/not-loaded";
import { Notice } from "../../../ui/notice";
import { PageHeader } from "../../../ui/page-header";
import { Pager } from "../../../ui/pager";
import { useSelection } from "../../../ui/selection";
import { usePageInUrl } from "../../../ui/use-page-in-url";
import { useSearch } from "../../../ui/use-search";
import { DateTime } from "../../../ui/values";
import { BulkActions } from "../../generations/bulk-actions";
import { GenerationGrid } from "../../generations/generation-grid";
import { readFilters } from "../../generations/read-filters";
import { useLiveGenerations } from "../../generations/use-live-generations";
import { BatchCounts, BatchProgress, BatchStatus, countAll } from "../batch-progress";
import { CancelBatch } from "../cancel-batch";
import { pollBatches } from "../../generations/poll-generations";
import type { Batch } from "../types";

/** Shows a batch: its progress, its cost and its generations as a grid. */
export function BatchDetail({ id }: { id: string }) {
  const isLive = useLiveGenerations();
  const { data: batch } = useQuery({
    ...useTRPC().batches.get.queryOptions({ id }),
    refetchOnWindowFocus: "always",
    refetchInterval: ({ state }) => pollBatches(state.data ? [state.data] : [], false, isLive.current),
  });
  if (!batch) return null;
  const count = countAll(batch);
  return (
    <>
      <BackLink href="/batches">Batches</BackLink>
      <PageHeader
        title={count === 1 ? "Batch of 1 generation" : `Batch of ${count} generations`}
        action={<CancelBatch batch={batch} />}
      >
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <BatchStatus batch={batch} />
          {batch.model} · <DateTime at={batch.created_at} />
          <span className="inline-flex items-center gap-1">
            <code className="font-mono text-xs break-all">{batch.id}</code>
            <CopyButton text={batch.id} label="Copy ID" iconOnly />
          </span>
        </span>
      </PageHeader>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <Summary batch={batch} />
        <BatchGenerations batch={batch} isLive={isLive} />
      </div>
    </>
  );
}

function Summary({ batch }: { batch: Batch }) {
  const { estimated_cost, billed_cost, reserved_cost } = batch;
  const released = estimated_cost - billed_cost - reserved_cost;
  const lines = [
    { name: "Estimate", euros: estimated_cost },
    { name: "Billed", euros: billed_cost },
    { name: "Reserved", euros: reserved_cost },
    { name: "Released", euros: Math.max(0, Number(released.toFixed(9))) },
  ];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <Card title="Progress">
        <div className="grid gap-4">
          <BatchProgress batch={batch} />
          <BatchCounts batch={batch} />
        </div>
      </Card>
      <Card title="Cost">
        <MoneyLines lines={lines} />
      </Card>
    </div>
  );
}

/** Lists a batch's generations in pages, optionally filtered by status. */
function BatchGenerations({ batch: { id, completed_at }, isLive }: { batch: Batch; isLive: RefObject<boolean> }) {
  const { status } = readFilters(useSearch().read);
  const pager = usePageInUrl();
  const query = useQuery({
    ...useTRPC().generations.list.queryOptions({ batch_id: id, status, cursor: pager.cursor }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: "always",
    refetchInterval: () => pollBatches([{ completed_at }], false, isLive.current),
  });
  const { data } = query;
  const generations = data?.data ?? [];
  const selection = useSelection(generations.map((one) => one.id));
  return (
    <Card
      flush
      title="Generations"
      action={
        <FilterSelect
          label="Status"
          value={status ?? ""}
          onChange={(event) => pager.filter("status", event.target.value)}
          options={statusWords.map(({ status: value, word: label }) => ({ value, label }))}
        />
      }
    >
      {!data && <NotLoaded what="The list" query={query} />}
      {data && generations.length === 0 && (
        <Notice heading="h3" title="No matches" icon={<Sparkles size={20} />}>
          No generations of this batch have this status.
        </Notice>
      )}
      {generations.length > 0 && (
        <>
          <BulkActions selection={selection} generations={generations} />
          <GenerationGrid generations={generations} selection={selection} />
        </>
      )}
      <Pager pager={pager} next={data?.next_cursor} />
    </Card>
  );
}
