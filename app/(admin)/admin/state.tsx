"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../trpc/client";
import { Card } from "../../ui/card";
import { NotLoaded } from "../../ui/not-loaded";
import { PageHeader } from "../../ui/page-header";
import { FailedJobs } from "./failed-jobs";
import { Figures } from "./figures";
import { MoneyTable } from "./money-table";
import { ProviderTable } from "./provider-table";
import { QueueTable } from "./queue-table";
import { Verdict } from "./verdict";

const POLL_INTERVAL_MS = 5_000;

/** Shows what the hub does now, and what it earns. */
export function State() {
  const query = useQuery({ ...useTRPC().admin.state.get.queryOptions(), refetchInterval: POLL_INTERVAL_MS });
  const { data } = query;
  return (
    <>
      <PageHeader title="State">What this hub does now, and what it earns.</PageHeader>
      {data ? (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          <Figures state={data} />
          <Verdict verdict={data.verdict} />
          <Card flush title="Queue">
            <QueueTable queues={data.queues} />
          </Card>
          <Card flush title="Providers">
            <ProviderTable state={data} />
          </Card>
          <Card flush title="Money by day (UTC)">
            <MoneyTable days={data.money.days} />
          </Card>
          {data.failed_jobs && (
            <Card flush title="Failed jobs">
              <FailedJobs jobs={data.failed_jobs} />
            </Card>
          )}
        </div>
      ) : (
        <Card>
          <NotLoaded what="The state" query={query} />
        </Card>
      )}
    </>
  );
}
