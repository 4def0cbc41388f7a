import { Prefetch, trpc } from "../../../trpc/prefetch";
import { BackLink } from "../../../ui/link";
import { PageHeader } from "../../../ui/page-header";
import { ShareLinks } from "./share-links";

export const metadata = { title: "Share links" };

export default function ShareLinksPage() {
  return (
    <Prefetch queries={[trpc.shares.list.queryOptions({})]}>
      <BackLink href="/files">Files</BackLink>
      <PageHeader title="Share links">
        Links that show one output to anyone who has them. Ended links stay in this list for 30 days.
      </PageHeader>
      <ShareLinks />
    </Prefetch>
  );
}
