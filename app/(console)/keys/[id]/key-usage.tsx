"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../../trpc/client";
import { Count } from "../../../ui/formats-context";
import { Card } from "../../../ui/card";
import { Money } from "../../../ui/money";
import { NotLoaded } from "../../../ui/not-loaded";
import { Segments } from "../../../ui/segments";
import { useSearch } from "../../../ui/use-search";
import { DayChart } from "../../overview/day-chart";
import { periods, readDays } from "../../overview/read-days";

const POLL_INTERVAL_MS = 30_000;

const options = periods.map((days) => ({ value: String(days), label: `${days} days` }));

/** Shows what a key was charged by day, over the chosen period. */
export function KeyUsage({ id }: { id: string }) {
  const { read, change } = useSearch();
  const days = readDays(read("days"));
  const query = useQuery({
    ...useTRPC().keys.spend.queryOptions({ id, days }),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_INTERVAL_MS,
  });
  const { data } = query;
  return (
    <Card
      title="Usage"
      action={
        <Segments label="Period" options={options} value={String(days)} onChange={(value) => change("days", value)} />
      }
    >
      {!data && <NotLoaded what="Usage" query={query} />}
      {data && (
        <>
          <p className="text-2xl font-semibold tracking-tight">
            <Money euros={data.spent} />
          </p>
          <p className="mt-1 text-xs text-soft">
            <Count value={data.count} /> billed {data.count === 1 ? "generation" : "generations"} in the last{" "}
            {data.days.length} days (UTC)
          </p>
          <DayChart days={data.days} hrefOf={(day) => `/generations?key=${id}&from=${day}&to=${day}`} />
        </>
      )}
    </Card>
  );
}
