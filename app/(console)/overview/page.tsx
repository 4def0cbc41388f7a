import type { Metadata } from "next";
import { Prefetch, trpc } from "../../trpc/prefetch";
import { PageHeader } from "../../ui/page-header";
import { Balance } from "./balance";
import { Recent } from "./recent";

export const metadata: Metadata = { title: "Overview" };

export default function OverviewPage() {
  return (
    <Prefetch queries={[trpc.account.get.queryOptions(), trpc.generations.recent.queryOptions()]}>
      <PageHeader title="Overview">What you can spend, and what was made last.</PageHeader>
      <div className="grid gap-6">
        <Balance />
        <Recent />
      </div>
    </Prefetch>
  );
}
