import { Prefetch, trpc } from "../../trpc/prefetch";
import { Keys } from "./keys";

export const metadata = { title: "API keys" };

export default function KeysPage() {
  return (
    <Prefetch queries={[trpc.keys.list.queryOptions(), trpc.generations.models.queryOptions()]}>
      <Keys />
    </Prefetch>
  );
}
