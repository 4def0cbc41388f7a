"use client";

import { useQuery } from "@tanstack/react-query";
import { CircleCheck, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useTRPC } from "../../trpc/client";
import { useHubMutation } from "../../trpc/use-hub-mutation";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { useFormats } from "../../ui/formats-context";
import { Money } from "../../ui/money";
import { NotLoaded } from "../../ui/not-loaded";
import { PageHeader } from "../../ui/page-header";
import { Table, Td, Th } from "../../ui/table";
import { Count, TimeAgo } from "../../ui/values";
import type { HubState } from "../types";
import { useIsOperator } from "../use-operator";
import { OperatorAlerts } from "./operator-alerts";
import { History } from "./history/history";
import { Outages } from "./outages";
import { FailedJobs, ProviderTable, QueueTable } from "./state-tables";

const POLL_INTERVAL_MS = 5_000;

/** Shows the hub's queue, providers, revenue and failed jobs. */
export function State() {
  const query = useQuery({ ...useTRPC().admin.state.get.queryOptions(), refetchInterval: POLL_INTERVAL_MS });
  const { data } = query;
  return (
    <>
      <PageHeader title="Status">What this hub is doing, and what it earns.</PageHeader>
      {data ? (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          <Outages providers={data.providers} />
          <Figures state={data} />
          <OperatorAlerts state={data} />
          <Verdict verdict={data.verdict} />
          <History />
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
          <NotLoaded what="The status" query={query} />
        </Card>
      )}
    </>
  );
}

/** Shows the hub's key figures. */
function Figures({ state: { queues, workers, deliveries, money, held, erasures } }: { state: HubState }) {
  const sum = (column: "queued" | "running") => queues.reduce((total, queue) => total + queue[column], 0);
  const today = money.days.at(-1);
  const due = erasures.reduce((total, kind) => total + kind.due, 0);
  const figures: { name: string; value: ReactNode; about: ReactNode }[] = [
    { name: "Queued", value: <Count value={sum("queued")} />, about: "Waiting to run" },
    { name: "Running", value: <Count value={sum("running")} />, about: describeWorkers(workers) },
    {
      name: "Webhooks",
      value: <Count value={deliveries.pending} />,
      about: deliveries.oldest_at ? (
        <>
          Oldest event <TimeAgo at={deliveries.oldest_at} />
        </>
      ) : (
        "Nothing pending"
      ),
    },
    { name: "To be erased", value: <Count value={due} />, about: due > 0 ? "In the background" : "Nothing is due" },
    { name: "Balances", value: <Money euros={money.balances} />, about: "Across all accounts" },
    { name: "Reserved", value: <Money euros={held} />, about: "For running generations" },
    {
      name: "Billed today",
      value: today ? <Money euros={today.billed} /> : "—",
      about: today && (
        <>
          Margin <Money euros={today.margin} />
        </>
      ),
    },
  ];
  return (
    <dl className="grid grid-cols-2 gap-2 sm:grid-cols-3 sm:gap-3 xl:grid-cols-4">
      {figures.map(({ name, value, about }) => (
        <div key={name} className="min-w-0 rounded-xl border border-line bg-raised p-4">
          <dt className="text-xs text-soft sm:text-sm">{name}</dt>
          <dd className="mt-1 text-xl font-semibold tracking-tight tabular-nums wrap-anywhere">{value}</dd>
          <dd className="mt-1 text-xs text-soft">{about}</dd>
        </div>
      ))}
    </dl>
  );
}

const describeWorkers = (workers: string[]): string =>
  workers.length === 0 ? "No worker online" : `${workers.length} ${workers.length === 1 ? "worker" : "workers"} online`;

/** Shows the result of the last ledger audit, and starts another one. */
function Verdict({ verdict }: { verdict: HubState["verdict"] }) {
  const isOperator = useIsOperator();
  const run = useHubMutation((trpc) => trpc.admin.state.audit, {
    invalidates: (trpc) => [trpc.admin.state.pathFilter()],
    successToast: "Audit started. The result appears here.",
  });
  const isWrong = verdict !== null && verdict.violations > 0;
  const Icon = isWrong ? TriangleAlert : CircleCheck;
  return (
    <section
      aria-label="Audit"
      className={`flex flex-wrap items-center gap-x-4 gap-y-3 rounded-xl border px-5 py-4 text-sm leading-6 ${
        isWrong ? "border-danger bg-danger-wash text-danger" : "border-line bg-raised"
      }`}
    >
      <Icon size={20} aria-hidden className={`shrink-0 ${verdict && !isWrong ? "text-good" : ""}`} />
      <div className="min-w-0 flex-1 basis-64">
        <h2 className="font-semibold">{describeVerdict(verdict)}</h2>
        {verdict && (
          <p className={isWrong ? "" : "text-soft"}>
            <Count value={verdict.entries} /> ledger entries checked <TimeAgo at={verdict.finished_at} />
          </p>
        )}
        {verdict?.examples.map(({ check, subject, message }) => (
          <p key={`${check} ${subject}`} className="wrap-anywhere">
            {check}: {subject}: {message}
          </p>
        ))}
      </div>
      {isOperator && (
        <Button busy={run.isPending} onClick={() => run.mutate()}>
          Run audit
        </Button>
      )}
    </section>
  );
}

function describeVerdict(verdict: HubState["verdict"]): string {
  if (!verdict) return "The ledger has not been audited yet";
  if (verdict.violations === 0) return "The ledger is consistent";
  return verdict.violations === 1 ? "1 violation in the ledger" : `${verdict.violations} violations in the ledger`;
}

/** Lists billed amounts and provider costs by day, newest first. */
function MoneyTable({ days }: { days: HubState["money"]["days"] }) {
  const { day: formatDay } = useFormats();
  return (
    <Table label="Money by day">
      <thead>
        <tr>
          <Th>Day</Th>
          <Th className="text-right">Billed</Th>
          <Th className="text-right">Provider cost</Th>
          <Th className="text-right">Margin</Th>
        </tr>
      </thead>
      <tbody>
        {[...days].reverse().map(({ day, billed, provider_cost, margin }) => (
          <tr key={day}>
            <Td>{formatDay(day)}</Td>
            {[billed, provider_cost, margin].map((euros, index) => (
              <Td key={index} className="text-right">
                <Money euros={euros} decimals={2} className={euros < 0 ? "text-danger" : ""} />
              </Td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
