import type { Metadata } from "next";
import { requireSession } from "../../session/caller";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Link } from "../../ui/link";
import { PageHeader } from "../../ui/page-header";
import { Prefetch, trpc } from "../../trpc/prefetch";
import { ChangePassword } from "./change-password";
import { FormatChoice } from "./format-choice";
import { listLocales, listTimeZones } from "./format-options";
import { KeepReplies } from "./keep-replies";
import { SignOutEverywhere } from "./sign-out-everywhere";

export const metadata: Metadata = { title: "Settings" };

export default async function SettingsPage() {
  const { hub, account } = await requireSession();
  return (
    <>
      <PageHeader title="Settings">{account.email}</PageHeader>
      <div className="grid max-w-2xl gap-6">
        <Card title="Formats">
          <FormatChoice locales={listLocales()} timeZones={listTimeZones()} now={hub.now().toISOString()} />
        </Card>
        <Card title="Password">
          <ChangePassword email={account.email} />
        </Card>
        <Card
          title="Sessions"
          action={
            <Button asChild>
              <Link href="/settings/sessions">View sessions</Link>
            </Button>
          }
        >
          <SignOutEverywhere />
        </Card>
        <Card
          title="Connected apps"
          action={
            <Button asChild>
              <Link href="/settings/connections">View connected apps</Link>
            </Button>
          }
        >
          <p className="text-sm leading-6 text-soft">
            Apps and agents that you allowed to generate up to a spend limit, such as Claude through MCP.
          </p>
        </Card>
        <div id="replies">
          <Card title="Chat replies">
            <Prefetch queries={[trpc.account.get.queryOptions()]}>
              <KeepReplies />
            </Prefetch>
          </Card>
        </div>
      </div>
    </>
  );
}
