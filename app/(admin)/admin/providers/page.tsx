import { Prefetch, trpc } from "../../../trpc/prefetch";
import { BillReports } from "./bill-reports";
import { Providers } from "./providers";

export const metadata = { title: "Providers" };

export default function ProvidersPage() {
  return (
    <Prefetch queries={[trpc.admin.providers.list.queryOptions(), trpc.admin.providers.bills.queryOptions()]}>
      <Providers />
      <BillReports />
    </Prefetch>
  );
}
