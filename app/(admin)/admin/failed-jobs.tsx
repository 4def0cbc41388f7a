"use client";

import { useMutation } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { useMutationHandlers } from "../../trpc/use-mutation-handlers";
import { Button } from "../../ui/button";
import { Notice } from "../../ui/notice";
import { Table, Td, Th } from "../../ui/table";
import { TimeAgo } from "../../ui/time-ago";
import type { HubState } from "../types";
import { useIsOperator } from "../use-operator";

type Job = NonNullable<HubState["failed_jobs"]>[number];

/** Lists the jobs that failed for an internal error. */
export function FailedJobs({ jobs }: { jobs: Job[] }) {
  if (jobs.length === 0)
    return (
      <Notice heading="h3" title="No failed jobs" icon={<CircleCheck size={20} />}>
        Jobs that end by an internal error appear here, and can be retried.
      </Notice>
    );
  return (
    <Table label="Failed jobs">
      <thead>
        <tr>
          <Th>Job</Th>
          <Th className="max-sm:hidden">Failed</Th>
          <Th>
            <span className="sr-only">Actions</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {jobs.map((job) => (
          <Row key={job.id} job={job} />
        ))}
      </tbody>
    </Table>
  );
}

function Row({ job: { id, name, error, ended_at } }: { job: Job }) {
  const isOperator = useIsOperator();
  const { trpc, toast, handlers } = useMutationHandlers((trpc) => [trpc.admin.state.pathFilter()]);
  const onSuccess = () => toast({ text: "The job runs again." });
  const retry = useMutation(trpc.admin.state.retryJob.mutationOptions({ ...handlers, onSuccess }));
  return (
    <tr>
      <Td className="w-full max-w-0">
        <span className="block truncate font-medium">{name}</span>
        <span className="block truncate text-xs text-soft" title={error ?? undefined}>
          {error}
        </span>
      </Td>
      <Td className="text-soft max-sm:hidden">{ended_at && <TimeAgo at={ended_at} />}</Td>
      <Td className="text-right">
        {isOperator && (
          <Button busy={retry.isPending} aria-label={`Retry ${name}`} onClick={() => retry.mutate({ id })}>
            Retry
          </Button>
        )}
      </Td>
    </tr>
  );
}
