import { Prefetch, trpc } from "../../trpc/prefetch";
import { createSearchReader, type SearchParams } from "../../ui/search";
import { readHistory } from "./history/read-history";
import { State } from "./state";

export const metadata = { title: "Status" };

export default async function StatePage({ searchParams }: { searchParams: SearchParams }) {
  const history = readHistory(await createSearchReader(searchParams));
  const queries = [trpc.admin.state.get.queryOptions(), trpc.admin.state.history.queryOptions(history)];
  return (
    <Prefetch queries={queries}>
      <State />
    </Prefetch>
  );
}
