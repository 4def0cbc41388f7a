import type { Metadata } from "next";
import { Prefetch, trpc } from "../../../trpc/prefetch";
import { Webhook } from "./webhook";

export const metadata: Metadata = { title: "Webhook" };

export default async function WebhookPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return (
    <Prefetch queries={[trpc.webhooks.get.queryOptions({ id }), trpc.webhooks.deliveries.queryOptions({ id })]}>
      <Webhook id={id} />
    </Prefetch>
  );
}
