import { requireSession } from "../../session/caller";
import { Prefetch, trpc } from "../../trpc/prefetch";
import { Workers } from "./workers";

export const metadata = { title: "Workers" };

export default async function WorkersPage() {
  const { hub } = await requireSession();
  return (
    <Prefetch queries={[trpc.workers.list.queryOptions()]}>
      <Workers base={hub.env.BASE_URL} />
    </Prefetch>
  );
}
