import { Prefetch, trpc } from "../../trpc/prefetch";
import { createSearchReader, type SearchParams } from "../../ui/search";
import { readFilters } from "./read-filters";
import { Requests } from "./requests";

export const metadata = { title: "Requests" };

export default async function RequestsPage({ searchParams }: { searchParams: SearchParams }) {
  const filters = readFilters(await createSearchReader(searchParams));
  const queries = [
    trpc.requests.list.queryOptions(filters),
    trpc.requests.keptDays.queryOptions(),
    trpc.keys.list.queryOptions(),
  ];
  return (
    <Prefetch queries={queries}>
      <Requests />
    </Prefetch>
  );
}
