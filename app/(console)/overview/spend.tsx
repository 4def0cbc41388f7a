"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import type { Root } from "@/server/trpc/root";
import { useTRPC } from "../../trpc/client";
import { Card } from "../../ui/card";
import { Money } from "../../ui/money";
import { NotLoaded } from "../../ui/not-loaded";
import { Segments } from "../../ui/segments";
import { useSearch } from "../../ui/use-search";
import { DayChart } from "./day-chart";
import { periods, readDays } from "./read-days";
import { SpendBreakdown } from "./spend-breakdown";

const POLL_INTERVAL_MS = 30_000;

const options = periods.map((days) => ({ value: String(days), label: `${days} days` }));

/** Shows spend over the chosen period, by day, model and API key. */
export function Spend() {
  const { read, change } = useSearch();
  const days = readDays(read("days"));
  const query = useQuery({
    ...useTRPC().overview.spend.queryOptions({ days }),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_INTERVAL_MS,
    refetchOnWindowFocus: "always",
  });
  const { data } = query;
  return (
    <Card
      flush
      title="Spend"
      action={
        <Segments label="Period" options={options} value={String(days)} onChange={(value) => change("days", value)} />
      }
    >
      {!data && <NotLoaded what="Spend" query={query} />}
      {data && (
        <>
          <div className="p-5">
            <p className="text-2xl font-semibold tracking-tight">
              <Money euros={data.spent} />
            </p>
            <p className="mt-1 text-xs text-soft">
              {data.count === 1 ? "1 billed generation" : `${data.count.toLocaleString("en")} billed generations`} in
              the last {data.days.length} days (UTC)
            </p>
            <DayChart days={data.days} />
          </div>
          {data.count > 0 && (
            <div className="grid border-t border-line md:grid-cols-2 md:divide-x md:divide-line max-md:divide-y max-md:divide-line">
              <SpendBreakdown
                title="By model"
                total={data.spent}
                parts={data.models.dearest.map(({ model, ...sum }) => ({
                  ...sum,
                  name: model,
                  href: `/generations?model=${encodeURIComponent(model)}`,
                }))}
                others={othersOf(data.models.others)}
              />
              <SpendBreakdown
                title="By key"
                total={data.spent}
                parts={data.keys.dearest.map(({ key, ...sum }) => ({
                  ...sum,
                  id: key?.id,
                  name: key?.name ?? "Console",
                }))}
                others={othersOf(data.keys.others)}
              />
            </div>
          )}
        </>
      )}
    </Card>
  );
}

type Others = inferRouterOutputs<Root>["overview"]["spend"]["models"]["others"];

const othersOf = (others: Others) => others && { spent: others.spent, count: others.count, parts: others.of };
