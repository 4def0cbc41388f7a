import { Prefetch, trpc } from "../../../trpc/prefetch";
import { BackLink } from "../../../ui/link";
import { PageHeader } from "../../../ui/page-header";
import { Connections } from "./connections";

export const metadata = { title: "Connected apps" };

export default function ConnectionsPage() {
  return (
    <Prefetch queries={[trpc.connections.list.queryOptions()]}>
      <BackLink href="/settings">Settings</BackLink>
      <PageHeader title="Connected apps">
        Apps and agents that generate for you, each up to its spend limit and for seven days at most.
      </PageHeader>
      <div className="max-w-4xl">
        <Connections />
      </div>
    </Prefetch>
  );
}
