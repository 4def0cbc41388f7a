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
  const cursor = read("cursor") || undefined;
  const queries =
    read("favourites") === "yes"
      ? [trpc.collections.items.queryOptions({ collection: null, cursor }), trpc.collections.favourites.queryOptions()]
      : [
          trpc.generations.list.queryOptions({ ...readFilters(read), cursor }),
          trpc.generations.models.queryOptions(),
          trpc.generations.keys.queryOptions(),
          trpc.collections.favourites.queryOptions(),
        ];
  return (
    <Prefetch queries={queries}>
      <Generations initialView={readView(read, chosen)} />
    </Prefetch>
  );
}
