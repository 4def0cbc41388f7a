import { notFound } from "next/navigation";
import { Prefetch, trpc } from "../../../../trpc/prefetch";
import { AccountDetail } from "./account-detail";

export const metadata = { title: "Account" };

const MAX_INT4 = 2 ** 31 - 1;

export default async function AccountPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  if (!/^[1-9]\d{0,9}$/.test(id) || Number(id) > MAX_INT4) notFound();
  return (
    <Prefetch queries={[trpc.admin.accounts.get.queryOptions({ account: Number(id) })]}>
      <AccountDetail id={Number(id)} />
    </Prefetch>
  );
}
