"use client";

import { useRouter } from "next/navigation";
import { type RefObject, useEffect, useRef } from "react";
import { type ChartData, drawChart, type DrawnChart } from "./draw-chart";

interface Props {
  label: string;
  data: ChartData;
  /** Set to the chart that is drawn. */
  chart: RefObject<DrawnChart | null>;
}

/** Shows a chart in the colours of the page. The table below it has the same figures. */
export default function UsageChart({ label, data, chart }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const router = useRouter();
  useEffect(() => {
    const draw = () => {
      chart.current?.destroy();
      chart.current = drawChart(canvas.current!, data, (href) => router.push(href));
    };
    draw();
    const theme = new MutationObserver(draw);
    theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    const queries = ["(prefers-color-scheme: dark)", "(forced-colors: active)"].map((query) => matchMedia(query));
    for (const query of queries) query.addEventListener("change", draw);
    return () => {
      theme.disconnect();
      for (const query of queries) query.removeEventListener("change", draw);
      chart.current?.destroy();
      chart.current = null;
    };
  }, [chart, data, router]);
  return <canvas ref={canvas} role="img" aria-label={label} />;
}
