import { Prefetch, trpc } from "../../../trpc/prefetch";
import { createSearchReader, type SearchParams } from "../../../ui/search";
import { readFilters } from "../../generations/read-filters";
import { BatchDetail } from "./batch-detail";

export const metadata = { title: "Batch" };

interface Props {
  params: Promise<{ id: string }>;
  searchParams: SearchParams;
}

export default async function BatchPage({ params, searchParams }: Props) {
  const { id } = await params;
  const read = await createSearchReader(searchParams);
  const { status } = readFilters(read);
  const queries = [
    trpc.batches.get.queryOptions({ id }),
    trpc.generations.list.queryOptions({ batch_id: id, status, cursor: read("cursor") || undefined }),
  ];
  return (
    <Prefetch queries={queries}>
      <BatchDetail id={id} />
    </Prefetch>
  );
}
