import { notFound } from "next/navigation";
import { isId } from "@/server/lib/id";
import { Prefetch, trpc } from "../../../../trpc/prefetch";
import { PaymentDetail } from "./payment-detail";

export const metadata = { title: "Payment" };

export default async function PaymentPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  if (!isId(id)) notFound();
  return (
    <Prefetch queries={[trpc.admin.payments.get.queryOptions({ id })]}>
      <PaymentDetail id={id} />
    </Prefetch>
  );
}
