import { getPageApi } from "@/server/hub";
import { requireSession } from "../../../session/caller";
import { Prefetch, trpc } from "../../../trpc/prefetch";
import { BackLink } from "../../../ui/link";
import { PageHeader } from "../../../ui/page-header";
import { Security } from "./security";

export const metadata = { title: "Security" };

export default async function SecurityPage() {
  const { account, actor } = await requireSession();
  const { isPermitted } = await getPageApi();
  return (
    <Prefetch queries={[trpc.factors.list.queryOptions()]}>
      <BackLink href="/settings">Settings</BackLink>
      <PageHeader title="Security">
        A second factor keeps others out, even if they know your password. It protects your sign-in to every account.
      </PageHeader>
      <Security account={isPermitted(actor, "manage") ? (account.name ?? account.email) : null} />
    </Prefetch>
  );
}
