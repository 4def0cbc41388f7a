"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ChartColumnStacked, Download } from "lucide-react";
import { type RefObject, useMemo, useRef } from "react";
import { useTRPC } from "../../trpc/client";
import { pollUnlessQuiet } from "../../trpc/quiet-page";
import { useAccess, usePermission } from "../../ui/access-context";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { FilterSelect, Filters } from "../../ui/filter";
import { useFormats } from "../../ui/formats-context";
import { Money } from "../../ui/money";
import { NotLoaded } from "../../ui/not-loaded";
import { Notice } from "../../ui/notice";
import { PageHeader } from "../../ui/page-header";
import { Segments } from "../../ui/segments";
import { useSearch } from "../../ui/use-search";
import { describeChart } from "./describe-chart";
import type { DrawnChart } from "./draw-chart";
import { LazyChart } from "./lazy-chart";
import { type Measure, measures, periods, readChart, readMeasure } from "./read-chart";
import { SeriesTable } from "./series-table";

const POLL_INTERVAL_MS = 60_000;

/** Shows what was settled in a period, divided by model, key, member, end user or metadata. */
export function Usage() {
  const trpc = useTRPC();
  const { read, change } = useSearch();
  const [input, measure] = [readChart(read), readMeasure(read)];
  const query = useQuery({
    ...trpc.usage.chart.queryOptions(input),
    placeholderData: keepPreviousData,
    refetchInterval: () => pollUnlessQuiet(POLL_INTERVAL_MS),
  });
  const { data: budgets = [] } = useQuery(trpc.budgets.list.queryOptions());
  const formats = useFormats();
  const isLinked = usePermission("read");
  const chart = useRef<DrawnChart>(null);
  const { data } = query;
  const shown = useMemo(
    () => data && describeChart({ chart: data, by: input.by, measure, budgets, formats, isLinked }),
    [data, input.by, measure, budgets, formats, isLinked],
  );
  const labels = data?.labels ?? [];
  const known = input.by.startsWith("metadata.")
    ? [...new Set([...labels, input.by.slice("metadata.".length)])]
    : labels;
  return (
    <>
      <PageHeader title="Usage">
        Your usage and what it cost, by model, API key, member, end user or metadata.
      </PageHeader>
      <Card flush>
        <Filters aria-label="Usage">
          <FilterSelect label="By" value={input.by} onChange={(event) => change("by", event.target.value)}>
            <option value="model">Model</option>
            <option value="key">API key</option>
            <option value="member">Member</option>
            <option value="end_user">End user</option>
            {known.map((name) => (
              <option key={name} value={`metadata.${name}`}>
                {name}
              </option>
            ))}
          </FilterSelect>
          <Segments
            label="Period"
            options={periods}
            value={input.period}
            onChange={(value) => change("period", value)}
          />
          <Segments label="Measure" options={measures} value={measure} onChange={(value) => change("measure", value)} />
        </Filters>
        {!shown && <NotLoaded what="Usage" query={query} />}
        {shown && data && (
          <>
            <Summary input={input} measure={measure} value={data.total[measure]} chart={chart} />
            {data.total.generations === 0 ? (
              <Notice title="No usage in this period" icon={<ChartColumnStacked size={20} />}>
                A generation or a chat counts once it has ended.
              </Notice>
            ) : (
              <>
                <div className="relative h-72 p-5">
                  <LazyChart label={shown.label} data={shown.chart} chart={chart} />
                </div>
                <SeriesTable rows={shown.rows} />
              </>
            )}
          </>
        )}
      </Card>
    </>
  );
}

interface SummaryProps {
  input: ReturnType<typeof readChart>;
  measure: Measure;
  value: number;
  chart: RefObject<DrawnChart | null>;
}

/** Shows the total, the forecast, and buttons that save the chart. */
function Summary({ input: { period, by }, measure, value, chart }: SummaryProps) {
  const { isViewing } = useAccess();
  return (
    <div className="flex flex-wrap items-end justify-between gap-4 p-5 pb-0">
      <div>
        <p className="text-2xl font-semibold tracking-tight">
          <Total measure={measure} value={value} />
        </p>
        <Forecast />
      </div>
      <div className="flex gap-2">
        {!isViewing && (
          <Button asChild>
            <a href={`/usage/export?period=${period}&by=${encodeURIComponent(by)}`} download>
              <Download size={16} aria-hidden />
              CSV
            </a>
          </Button>
        )}
        <Button onClick={() => savePng(chart.current)}>
          <Download size={16} aria-hidden />
          PNG
        </Button>
      </div>
    </div>
  );
}

function Total({ measure, value }: { measure: Measure; value: number }) {
  const { number } = useFormats();
  return measure === "billed" ? <Money euros={value} /> : `${number(value)} ${measure}`;
}

/** Says what the month costs at the pace of the last days. */
function Forecast() {
  const { data } = useQuery(useTRPC().usage.forecast.queryOptions());
  const { shortDay } = useFormats();
  if (!data) return null;
  return (
    <p className="mt-1 text-xs text-soft">
      <Money euros={data.spent} /> this month so far. At the pace of the last 7 days, about{" "}
      <Money euros={data.total} decimals={2} /> by {shortDay(data.until)} (UTC).
    </p>
  );
}

function savePng(chart: DrawnChart | null): void {
  if (!chart) return;
  const link = document.createElement("a");
  link.href = chart.toBase64Image();
  link.download = "usage.png";
  link.click();
}
