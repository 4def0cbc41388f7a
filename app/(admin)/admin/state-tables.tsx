"use client";

import { CircleCheck, Plug } from "lucide-react";
import { useHubMutation } from "../../trpc/use-hub-mutation";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Notice } from "../../ui/notice";
import { ActionTable, Table, Td, Th } from "../../ui/table";
import { Count, TimeAgo } from "../../ui/values";
import type { HubState } from "../types";
import { useIsOperator } from "../use-operator";

/** Lists the generations that have not ended, by model. */
export function QueueTable({ queues }: { queues: HubState["queues"] }) {
  if (queues.length === 0)
    return (
      <Notice heading="h3" title="Queue is empty" icon={<CircleCheck size={20} />}>
        Generations appear here until they end.
      </Notice>
    );
  return (
    <Table label="Queue">
      <thead>
        <tr>
          <Th>Model</Th>
          <Th className="text-right">Queued</Th>
          <Th className="text-right">Running</Th>
          <Th className="text-right max-sm:hidden">Awaiting files</Th>
          <Th className="max-sm:hidden">Oldest queued</Th>
        </tr>
      </thead>
      <tbody>
        {queues.map(({ model, queued, running, awaiting_supply, oldest_queued_at }) => (
          <tr key={model}>
            <Td className="w-full max-w-0 truncate font-medium" title={model}>
              {model}
            </Td>
            <Td className="text-right tabular-nums">
              <Count value={queued} />
            </Td>
            <Td className="text-right tabular-nums">
              <Count value={running} />
            </Td>
            <Td className="text-right tabular-nums max-sm:hidden">
              <Count value={awaiting_supply} />
            </Td>
            <Td className="text-soft max-sm:hidden">{oldest_queued_at ? <TimeAgo at={oldest_queued_at} /> : "—"}</Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

type Job = NonNullable<HubState["failed_jobs"]>[number];

/** Lists the jobs that failed with an internal error. */
export function FailedJobs({ jobs }: { jobs: Job[] }) {
  if (jobs.length === 0)
    return (
      <Notice heading="h3" title="No failed jobs" icon={<CircleCheck size={20} />}>
        Jobs that fail with an internal error appear here and can be retried.
      </Notice>
    );
  return (
    <ActionTable label="Failed jobs" columns={[{ title: "Job" }, { title: "Failed", className: "max-sm:hidden" }]}>
      {jobs.map((job) => (
        <JobRow key={job.id} job={job} />
      ))}
    </ActionTable>
  );
}

function JobRow({ job: { id, name, error, ended_at } }: { job: Job }) {
  const isOperator = useIsOperator();
  const retry = useHubMutation((trpc) => trpc.admin.state.retryJob, {
    invalidates: (trpc) => [trpc.admin.state.pathFilter()],
    successToast: "Job restarted.",
  });
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

const faults = { customer: "caused by input", hub: "caused by key, credit or model", provider: "caused by provider" };

/** Lists the providers with their status, and the failures of the last hour by cause. */
export function ProviderTable({ state: { providers, failures } }: { state: HubState }) {
  if (providers.length === 0)
    return (
      <Notice heading="h3" title="No providers" icon={<Plug size={20} />}>
        The catalogue has no models from a provider yet. Add some with{" "}
        <code>npm run hub -- provider add replicate</code>.
      </Notice>
    );
  return (
    <Table label="Providers">
      <thead>
        <tr>
          <Th>Provider</Th>
          <Th>Routes</Th>
          <Th className="text-right max-sm:hidden">In flight</Th>
          <Th className="max-sm:hidden">Failures in the last hour</Th>
        </tr>
      </thead>
      <tbody>
        {providers.map(({ id, kind, key, in_flight, max_in_flight, routes }) => {
          const usable = routes.filter(({ state }) => state === "usable").length;
          const failed = failures.filter(({ provider }) => provider === kind);
          return (
            <tr key={id}>
              <Td className="w-full max-w-0">
                <span className="flex flex-wrap items-center gap-2">
                  <span className="truncate font-medium">{id}</span>
                  {key === "missing" && <Badge tone="danger">Key missing</Badge>}
                </span>
                <span className="text-xs text-soft sm:hidden">
                  <Failures failures={failed} />
                </span>
              </Td>
              <Td>
                {usable === routes.length ? (
                  <Badge tone="good">{usable} usable</Badge>
                ) : (
                  <Badge tone="warning">
                    {usable} of {routes.length} usable
                  </Badge>
                )}
              </Td>
              <Td className="text-right tabular-nums max-sm:hidden">
                {in_flight}
                {max_in_flight !== null && ` of ${max_in_flight}`}
              </Td>
              <Td className="text-soft max-sm:hidden">
                {failed.length === 0 ? "None" : <Failures failures={failed} />}
              </Td>
            </tr>
          );
        })}
      </tbody>
    </Table>
  );
}

const Failures = ({ failures }: Pick<HubState, "failures">) =>
  failures.map(({ cause, count, fault }) => (
    <span key={cause} className="block">
      <Count value={count} /> {faults[fault]}
    </span>
  ));
