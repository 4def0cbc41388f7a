import type { Metadata } from "next";
import { Prefetch, trpc } from "../../trpc/prefetch";
import { Models } from "./models";

export const metadata: Metadata = { title: "Models" };

export default function ModelsPage() {
  return (
    <Prefetch queries={[trpc.models.list.queryOptions()]}>
      <Models />
    </Prefetch>
  );
}
