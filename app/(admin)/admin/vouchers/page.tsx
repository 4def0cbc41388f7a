import { Prefetch, trpc } from "../../../trpc/prefetch";
import { Vouchers } from "./vouchers";

export const metadata = { title: "Vouchers" };

export default function VouchersPage() {
  return (
    <Prefetch queries={[trpc.admin.vouchers.list.queryOptions()]}>
      <Vouchers />
    </Prefetch>
  );
}
