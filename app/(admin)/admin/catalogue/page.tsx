import { Prefetch, trpc } from "../../../trpc/prefetch";
import { Catalogue } from "./catalogue";

export const metadata = { title: "Catalogue" };

export default function CataloguePage() {
  return (
    <Prefetch queries={[trpc.admin.catalogue.get.queryOptions()]}>
      <Catalogue />
    </Prefetch>
  );
}
