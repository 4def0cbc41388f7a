"use client";

import type { ReactNode } from "react";
import { Count } from "../../ui/formats-context";
import { Money } from "../../ui/money";
import { TimeAgo } from "../../ui/time-ago";
import type { HubState } from "../types";

/** Shows the figures that an operator looks at first. */
export function Figures({ state: { queues, workers, deliveries, money, held } }: { state: HubState }) {
  const sum = (column: "queued" | "running") => queues.reduce((total, queue) => total + queue[column], 0);
  const today = money.days.at(-1);
  const figures: { name: string; value: ReactNode; about: ReactNode }[] = [
    { name: "Queued", value: <Count value={sum("queued")} />, about: "Generations that wait" },
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
    { name: "Balances", value: <Money euros={money.balances} />, about: "Of all accounts" },
    { name: "Held", value: <Money euros={held} />, about: "For what has not ended" },
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
    <dl className="grid grid-cols-2 gap-2 sm:grid-cols-3 sm:gap-3">
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
