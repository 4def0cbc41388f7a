import { Prefetch, trpc } from "../../../trpc/prefetch";
import { createSearchReader, type SearchParams } from "../../../ui/search";
import { readDays } from "../../overview/read-days";
import { KeyDetail } from "./key-detail";

export const metadata = { title: "API key" };

interface Props {
  params: Promise<{ id: string }>;
  searchParams: SearchParams;
}

export default async function KeyPage({ params, searchParams }: Props) {
  const { id } = await params;
  const days = readDays((await createSearchReader(searchParams))("days"));
  const queries = [
    trpc.keys.get.queryOptions({ id }),
    trpc.keys.spend.queryOptions({ id, days }),
    trpc.requests.countByKey.queryOptions({ id }),
    trpc.generations.models.queryOptions(),
  ];
  return (
    <Prefetch queries={queries}>
      <KeyDetail id={id} />
    </Prefetch>
  );
}
