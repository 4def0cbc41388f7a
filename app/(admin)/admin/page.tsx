import type { Metadata } from "next";
import { Prefetch, trpc } from "../../trpc/prefetch";
import { State } from "./state";

export const metadata: Metadata = { title: "State" };

export default function StatePage() {
  return (
    <Prefetch queries={[trpc.admin.state.get.queryOptions()]}>
      <State />
    </Prefetch>
  );
}
