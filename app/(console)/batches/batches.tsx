"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Layers } from "lucide-react";
import { useTRPC } from "../../trpc/client";
import { pollUnlessQuiet } from "../../trpc/quiet-page";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Link } from "../../ui/link";
import { NotLoaded } from "../../ui/not-loaded";
import { Notice } from "../../ui/notice";
import { PageHeader } from "../../ui/page-header";
import { Pager } from "../../ui/pager";
import { ActionTable, Td } from "../../ui/table";
import { usePageInUrl } from "../../ui/use-page-in-url";
import { TimeAgo } from "../../ui/values";
import { useLiveGenerations } from "../generations/use-live-generations";
import { BatchCost, BatchProgress, BatchStatus } from "./batch-progress";
import { CancelBatch } from "./cancel-batch";
import { pollBatches } from "../generations/poll-generations";
import type { Batch } from "./types";

const IDLE_POLL_INTERVAL_MS = 15_000;

/** Lists the account's batches, newest first. */
export function Batches() {
  const pager = usePageInUrl();
  const isLive = useLiveGenerations();
  const query = useQuery({
    ...useTRPC().batches.list.queryOptions({ cursor: pager.cursor }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: "always",
    refetchInterval: ({ state }) =>
      pollBatches(state.data?.data ?? [], pager.isFirst && pollUnlessQuiet(IDLE_POLL_INTERVAL_MS), isLive.current),
  });
  const { data } = query;
  return (
    <>
      <PageHeader
        title="Batches"
        action={
          <Button needs="develop" kind="primary" asChild>
            <Link href="/playground">Open the playground</Link>
          </Button>
        }
      >
        Generations of one model that were started together. Running ones update live.
      </PageHeader>
      <Card flush title="History">
        {!data && <NotLoaded what="The list" query={query} />}
        {data && (data.data.length > 0 ? <BatchTable batches={data.data} /> : <NoBatches />)}
        <Pager pager={pager} next={data?.next_cursor} />
      </Card>
    </>
  );
}

const NoBatches = () => (
  <Notice
    heading="h3"
    title="No batches yet"
    icon={<Layers size={20} />}
    action={
      <Button asChild>
        <Link href="/docs/api/generations#createBatch">Create one through the API</Link>
      </Button>
    }
  >
    In the playground, “Run 4×” or “Run a CSV” starts a batch. Through the API, one request starts up to 1,000
    generations.
  </Notice>
);

const BatchTable = ({ batches }: { batches: Batch[] }) => (
  <ActionTable
    label="Batches"
    columns={[
      { title: "Model" },
      { title: "Status", className: "max-sm:hidden" },
      { title: "Progress", className: "max-sm:hidden" },
      { title: "Cost", className: "text-right max-md:hidden" },
      { title: "Created", className: "max-lg:hidden" },
    ]}
  >
    {batches.map((batch) => (
      <Row key={batch.id} batch={batch} />
    ))}
  </ActionTable>
);

const Row = ({ batch }: { batch: Batch }) => (
  <tr className="hover:bg-sunken/60">
    <Td className="w-full max-w-0">
      <Link href={`/batches/${batch.id}`} className="group grid gap-1 leading-5">
        <span className="truncate font-medium group-hover:underline">{batch.model}</span>
        <span className="truncate text-xs text-soft lg:hidden">
          <TimeAgo at={batch.created_at} />
        </span>
        <span className="grid gap-2 sm:hidden">
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <BatchStatus batch={batch} />
            <BatchCost batch={batch} />
          </span>
          <BatchProgress batch={batch} />
        </span>
      </Link>
    </Td>
    <Td className="max-sm:hidden">
      <BatchStatus batch={batch} />
    </Td>
    <Td className="max-sm:hidden">
      <BatchProgress batch={batch} />
    </Td>
    <Td className="text-right max-md:hidden">
      <BatchCost batch={batch} />
    </Td>
    <Td className="text-soft max-lg:hidden">
      <TimeAgo at={batch.created_at} />
    </Td>
    <Td className="text-right">
      <CancelBatch batch={batch} />
    </Td>
  </tr>
);
