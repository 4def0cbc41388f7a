import { Prefetch, trpc } from "../../../../trpc/prefetch";
import { createSearchReader, type SearchParams } from "../../../../ui/search";
import { Collection } from "./collection";

export const metadata = { title: "Collection" };

interface Props {
  params: Promise<{ id: string }>;
  searchParams: SearchParams;
}

export default async function CollectionPage({ params, searchParams }: Props) {
  const { id } = await params;
  const read = await createSearchReader(searchParams);
  const queries = [
    trpc.collections.get.queryOptions({ id }),
    trpc.collections.items.queryOptions({ collection: id, cursor: read("cursor") || undefined }),
    trpc.collections.favourites.queryOptions(),
  ];
  return (
    <Prefetch queries={queries}>
      <Collection id={id} />
    </Prefetch>
  );
}
