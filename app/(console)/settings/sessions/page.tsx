import type { Metadata } from "next";
import { Prefetch, trpc } from "../../../trpc/prefetch";
import { Card } from "../../../ui/card";
import { Link } from "../../../ui/link";
import { PageHeader } from "../../../ui/page-header";
import { SignOutEverywhere } from "../sign-out-everywhere";
import { SessionTable } from "./session-table";

export const metadata: Metadata = { title: "Sessions" };

export default function SessionsPage() {
  return (
    <Prefetch queries={[trpc.sessions.list.queryOptions()]}>
      <Link href="/settings" className="mb-2 inline-block text-sm text-accent underline">
        Settings
      </Link>
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
