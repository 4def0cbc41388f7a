import type { Metadata } from "next";
import { Prefetch, trpc } from "../../../trpc/prefetch";
import { Catalogue } from "./catalogue";

export const metadata: Metadata = { title: "Catalogue" };

export default function CataloguePage() {
  return (
    <Prefetch queries={[trpc.admin.catalogue.get.queryOptions()]}>
      <Catalogue />
    </Prefetch>
  );
}
