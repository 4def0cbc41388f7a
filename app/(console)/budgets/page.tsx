import { Prefetch, trpc } from "../../trpc/prefetch";
import { Budgets } from "./budgets";

export const metadata = { title: "Budgets" };

export default function BudgetsPage() {
  return (
    <Prefetch queries={[trpc.budgets.list.queryOptions(), trpc.budgets.subjects.queryOptions()]}>
      <Budgets />
    </Prefetch>
  );
}
