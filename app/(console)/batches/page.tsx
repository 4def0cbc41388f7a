import { Prefetch, trpc } from "../../trpc/prefetch";
import { createSearchReader, type SearchParams } from "../../ui/search";
import { Batches } from "./batches";

export const metadata = { title: "Batches" };

export default async function BatchesPage({ searchParams }: { searchParams: SearchParams }) {
  const read = await createSearchReader(searchParams);
  return (
    <Prefetch queries={[trpc.batches.list.queryOptions({ cursor: read("cursor") || undefined })]}>
      <Batches />
    </Prefetch>
  );
}
