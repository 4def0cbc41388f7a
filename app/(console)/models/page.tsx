import { Prefetch, trpc } from "../../trpc/prefetch";
import { Models } from "./models";

export const metadata = { title: "Models" };

export default function ModelsPage() {
  return (
    <Prefetch queries={[trpc.models.list.queryOptions()]}>
      <Models />
    </Prefetch>
  );
}
