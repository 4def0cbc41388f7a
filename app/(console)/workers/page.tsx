import type { Metadata } from "next";
import { requireSession } from "../../session/current";
import { Prefetch, trpc } from "../../trpc/prefetch";
import { Workers } from "./workers";

export const metadata: Metadata = { title: "Workers" };

export default async function WorkersPage() {
  const { env } = await requireSession();
  return (
    <Prefetch queries={[trpc.workers.list.queryOptions()]}>
      <Workers base={env.BASE_URL} />
    </Prefetch>
  );
}
