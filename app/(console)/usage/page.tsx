import { Prefetch, trpc } from "../../trpc/prefetch";
import { createSearchReader, type SearchParams } from "../../ui/search";
import { readChart } from "./read-chart";
import { Usage } from "./usage";

export const metadata = { title: "Usage" };

export default async function UsagePage({ searchParams }: { searchParams: SearchParams }) {
  const chart = readChart(await createSearchReader(searchParams));
  // Other groups may have too many values, which the page explains.
  const isCertain = ["model", "key", "member"].includes(chart.by);
  const queries = [
    ...(isCertain ? [trpc.usage.chart.queryOptions(chart)] : []),
    trpc.usage.forecast.queryOptions(),
    trpc.budgets.list.queryOptions(),
  ];
  return (
    <Prefetch queries={queries}>
      <Usage />
    </Prefetch>
  );
}
