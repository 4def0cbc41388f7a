"use client";

import dynamic from "next/dynamic";
import { useRef } from "react";
import type { ChartData, DrawnChart } from "../../../(console)/usage/draw-chart";
import { Skeleton } from "../../../ui/skeleton";

// Loaded when there is something to draw, because the library is larger than the page.
const UsageChart = dynamic(() => import("../../../(console)/usage/usage-chart"), {
  ssr: false,
  loading: () => <Skeleton className="h-full" />,
});

/** Draws a chart. What is below it has the same figures. */
export function Chart({ label, data }: { label: string; data: ChartData }) {
  const chart = useRef<DrawnChart>(null);
  return (
    <div className="relative h-64 p-5">
      <UsageChart label={label} data={data} chart={chart} />
    </div>
  );
}
