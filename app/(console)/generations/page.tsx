import { cookies } from "next/headers";
import { Prefetch, trpc } from "../../trpc/prefetch";
import { createSearchReader, type SearchParams } from "../../ui/search";
import { Generations } from "./generations";
import { readFilters } from "./read-filters";
import { readView, VIEW_COOKIE } from "./view";

export const metadata = { title: "Generations" };

export default async function GenerationsPage({ searchParams }: { searchParams: SearchParams }) {
  const read = await createSearchReader(searchParams);
  const chosen = (await cookies()).get(VIEW_COOKIE)?.value;
  const queries = [
    trpc.generations.list.queryOptions({ ...readFilters(read), cursor: read("cursor") || undefined }),
    trpc.generations.models.queryOptions(),
    trpc.generations.keys.queryOptions(),
  ];
  return (
    <Prefetch queries={queries}>
      <Generations initialView={readView(read, chosen)} />
    </Prefetch>
  );
}
