import { Prefetch, trpc } from "../../trpc/prefetch";
import { Webhooks } from "./webhooks";

export const metadata = { title: "Webhooks" };

export default function WebhooksPage() {
  return (
    <Prefetch queries={[trpc.webhooks.list.queryOptions(), trpc.webhooks.health.queryOptions({})]}>
      <Webhooks />
    </Prefetch>
  );
}
