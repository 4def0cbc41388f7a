import type { Metadata } from "next";
import { Prefetch, trpc } from "../../trpc/prefetch";
import { createSearchReader, type SearchParams } from "../../ui/search";
import { Generations } from "./generations";
import { readFilters } from "./read-filters";

export const metadata: Metadata = { title: "Generations" };

export default async function GenerationsPage({ searchParams }: { searchParams: SearchParams }) {
  const filters = readFilters(await createSearchReader(searchParams));
  return (
    <Prefetch queries={[trpc.generations.list.queryOptions(filters), trpc.generations.models.queryOptions()]}>
      <Generations />
    </Prefetch>
  );
}
