import { Prefetch, trpc } from "../../../trpc/prefetch";
import { createSearchReader, type SearchParams } from "../../../ui/search";
import { readDeliveryFilters } from "../read-delivery-filters";
import { Webhook } from "./webhook";

export const metadata = { title: "Webhook" };

interface Props {
  params: Promise<{ id: string }>;
  searchParams: SearchParams;
}

export default async function WebhookPage({ params, searchParams }: Props) {
  const { id } = await params;
  const filters = readDeliveryFilters(await createSearchReader(searchParams));
  return (
    <Prefetch
      queries={[
        trpc.webhooks.get.queryOptions({ id }),
        trpc.webhooks.health.queryOptions({ id }),
        trpc.webhooks.deliveries.queryOptions({ id, ...filters }),
      ]}
    >
      <Webhook id={id} />
    </Prefetch>
  );
}
