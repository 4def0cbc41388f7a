"use client";

import { useQuery } from "@tanstack/react-query";
import { Cpu } from "lucide-react";
import { useTRPC } from "../../trpc/client";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { errorsOf } from "../../ui/errors-of";
import { Notice } from "../../ui/notice";
import { PageHeader } from "../../ui/page-header";
import { ServedModels } from "./served-models";
import { StartWorker } from "./start-worker";
import { WorkerTable } from "./worker-table";

const POLL_INTERVAL_MS = 3_000;

/** Shows the connected workers and their jobs of this account. */
export function Workers({ base }: { base: string }) {
  const { data, error, refetch } = useQuery({
    ...useTRPC().workers.list.queryOptions(),
    // Workers come and go, so the page polls while it is visible.
    refetchInterval: POLL_INTERVAL_MS,
    refetchOnWindowFocus: "always",
  });
  if (!data) {
    return (
      <Notice
        title="The workers could not be loaded"
        action={<Button onClick={() => void refetch()}>Try again</Button>}
      >
        {errorsOf(error)?.message}
      </Notice>
    );
  }
  const { workers, models, slots } = data;
  const online = workers.filter(({ is_online }) => is_online).length;
  return (
    <>
      <PageHeader title="Workers">GPU workers connected to this hub and their current jobs.</PageHeader>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <Card
          flush
          title="Workers"
          action={
            <span role="status" className="text-sm text-soft tabular-nums">
              {online} online · {slots.used} of {slots.max} slots in use
            </span>
          }
        >
          {workers.length > 0 ? (
            <WorkerTable workers={workers} />
          ) : (
            <Notice title="No workers online" icon={<Cpu size={20} />}>
              Jobs wait until a worker is online. Follow the steps below to start one.
            </Notice>
          )}
        </Card>
        {models.length > 0 && <ServedModels models={models} />}
        <StartWorker base={base} model={models[0]?.id ?? "my-model"} />
      </div>
    </>
  );
}
