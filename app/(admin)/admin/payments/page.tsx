import { Prefetch, trpc } from "../../../trpc/prefetch";
import { createSearchReader, type SearchParams } from "../../../ui/search";
import { Payments } from "./payments";
import { readFilters } from "./read-filters";

export const metadata = { title: "Payments" };

export default async function PaymentsPage({ searchParams }: { searchParams: SearchParams }) {
  const filters = readFilters(await createSearchReader(searchParams));
  return (
    <Prefetch queries={[trpc.admin.payments.list.queryOptions(filters)]}>
      <Payments />
    </Prefetch>
  );
}
