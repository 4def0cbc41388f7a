import { Prefetch, trpc } from "../../trpc/prefetch";
import { State } from "./state";

export const metadata = { title: "Status" };

export default function StatePage() {
  return (
    <Prefetch queries={[trpc.admin.state.get.queryOptions()]}>
      <State />
    </Prefetch>
  );
}
