import { Prefetch, trpc } from "../../../trpc/prefetch";
import { Collections } from "./collections";

export const metadata = { title: "Collections" };

export default function CollectionsPage() {
  return (
    <Prefetch queries={[trpc.collections.list.queryOptions({}), trpc.collections.covers.queryOptions()]}>
      <Collections />
    </Prefetch>
  );
}
