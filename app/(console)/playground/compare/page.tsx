import { requireSession } from "../../../session/caller";
import { Prefetch, trpc } from "../../../trpc/prefetch";
import { createSearchReader, type SearchParams } from "../../../ui/search";
import { Compare } from "./compare";

export const metadata = { title: "Compare models" };

export default async function ComparePage({ searchParams }: { searchParams: SearchParams }) {
  const { account } = await requireSession();
  const read = await createSearchReader(searchParams);
  return (
    <Prefetch queries={[trpc.models.list.queryOptions(), trpc.account.get.queryOptions()]}>
      <Compare accountId={account.id} model={read("model")} />
    </Prefetch>
  );
}
