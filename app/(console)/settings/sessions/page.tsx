import { Prefetch, trpc } from "../../../trpc/prefetch";
import { BackLink } from "../../../ui/link";
import { Card } from "../../../ui/card";
import { PageHeader } from "../../../ui/page-header";
import { SignOutEverywhere } from "../sign-out-everywhere";
import { SessionTable } from "./session-table";

export const metadata = { title: "Sessions" };

export default function SessionsPage() {
  return (
    <Prefetch queries={[trpc.sessions.list.queryOptions()]}>
      <BackLink href="/settings">Settings</BackLink>
      <PageHeader title="Sessions">
        Browsers that are signed in to your account. End any session that you don’t recognize, and change your password.
      </PageHeader>
      <div className="grid max-w-3xl gap-6">
        <Card flush title="Signed in">
          <SessionTable />
        </Card>
        <Card title="All sessions">
          <SignOutEverywhere />
        </Card>
      </div>
    </Prefetch>
  );
}
