"use client";

import dynamic from "next/dynamic";
import { partNotLoaded } from "../../ui/part-not-loaded";
import { Skeleton } from "../../ui/skeleton";

/** A chart, loaded when there is something to draw, because its library is larger than a page. */
export const LazyChart = dynamic(() => import("./usage-chart").then((module) => module.default, partNotLoaded), {
  ssr: false,
  loading: () => <Skeleton className="h-full" />,
});
