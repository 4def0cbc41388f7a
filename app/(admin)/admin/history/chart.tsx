"use client";

import { useRef } from "react";
import type { ChartData, DrawnChart } from "../../../(console)/usage/draw-chart";
import { LazyChart } from "../../../(console)/usage/lazy-chart";

/** Draws a chart. The table below it has the same figures. */
export function Chart({ label, data }: { label: string; data: ChartData }) {
  const chart = useRef<DrawnChart>(null);
  return (
    <div className="relative h-64 p-5">
      <LazyChart label={label} data={data} chart={chart} />
    </div>
  );
}
