"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ChartColumnStacked } from "lucide-react";
import { useMemo } from "react";
import { useTRPC } from "../../../trpc/client";
import { Card } from "../../../ui/card";
import { Filters } from "../../../ui/filter";
import { useFormats } from "../../../ui/formats-context";
import { NotLoaded } from "../../../ui/not-loaded";
import { Notice } from "../../../ui/notice";
import { Segments } from "../../../ui/segments";
import { useSearch } from "../../../ui/use-search";
import type { History as HistoryData } from "../../types";
import { BreakerTimeline } from "./breaker-timeline";
import { Chart } from "./chart";
import { describeWork, labelOf } from "./describe-history";
import { LoadCard } from "./load-card";
import { groups, type Measure, measures, periods, readHistory, readMeasure } from "./read-history";
import { WorkTable } from "./work-table";

const POLL_INTERVAL_MS = 60_000;

/** Draws requests, times, margin, load and pauses of a period. */
export function History() {
  const { read, change } = useSearch();
  const [input, measure] = [readHistory(read), readMeasure(read)];
  const query = useQuery({
    ...useTRPC().admin.state.history.queryOptions(input),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_INTERVAL_MS,
  });
  const { data } = query;
  return (
    <>
      <Card flush title="Attempts at providers">
        <Filters aria-label="History">
          <Segments
            label="Period"
            options={periods}
            value={input.period}
            onChange={(value) => change("period", value)}
          />
          <Segments label="By" options={groups} value={input.by} onChange={(value) => change("by", value)} />
          <Segments label="Measure" options={measures} value={measure} onChange={(value) => change("measure", value)} />
        </Filters>
        {data ? <Work work={data.work} by={input.by} measure={measure} /> : <NotLoaded what="History" query={query} />}
      </Card>
      {data && <LoadCard load={data.load} />}
      {data && <BreakerTimeline breakers={data.breakers} />}
    </>
  );
}

interface WorkProps {
  work: HistoryData["work"];
  by: string;
  measure: Measure;
}

function Work({ work, by, measure }: WorkProps) {
  const formats = useFormats();
  const chart = useMemo(() => describeWork(work, measure, formats), [work, measure, formats]);
  if (work.series.length === 0)
    return (
      <Notice heading="h3" title="No attempts in this period" icon={<ChartColumnStacked size={20} />}>
        An attempt appears here within a minute of its end.
      </Notice>
    );
  return (
    <>
      <Chart label={labelOf(measure, by)} data={chart} />
      <WorkTable series={work.series} />
    </>
  );
}
