import { Prefetch, trpc } from "../../../trpc/prefetch";
import { createSearchReader, type SearchParams } from "../../../ui/search";
import { Accounts } from "./accounts";

export const metadata = { title: "Accounts" };

export default async function AccountsPage({ searchParams }: { searchParams: SearchParams }) {
  const q = (await createSearchReader(searchParams))("q") ?? "";
  return (
    <Prefetch queries={[trpc.admin.accounts.list.queryOptions({ q })]}>
      <Accounts />
    </Prefetch>
  );
}
