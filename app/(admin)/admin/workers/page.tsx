import { Prefetch, trpc } from "../../../trpc/prefetch";
import { Workers } from "./workers";

export const metadata = { title: "Workers" };

export default function WorkersPage() {
  return (
    <Prefetch queries={[trpc.admin.workers.list.queryOptions()]}>
      <Workers />
    </Prefetch>
  );
}
