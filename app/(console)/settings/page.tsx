import type { Metadata } from "next";
import { getPageApi } from "@/server/hub";
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
import { LeaveAccount } from "./leave-account";
import { SignOutEverywhere } from "./sign-out-everywhere";

export const metadata: Metadata = { title: "Settings" };

export default async function SettingsPage() {
  const { hub, account, actor } = await requireSession();
  const { isPermitted, MAX_REPLY_RETENTION_DAYS } = await getPageApi();
  const { email } = actor.person;
  const canManage = isPermitted(actor, "manage");
  const canRead = isPermitted(actor, "read");
  return (
    <>
      <PageHeader title="Settings">{email}</PageHeader>
      <div className="grid max-w-2xl gap-6">
        <Card title="Formats">
          <FormatChoice locales={listLocales()} timeZones={listTimeZones()} now={hub.now().toISOString()} />
        </Card>
        <Card title="Password">
          <ChangePassword email={email} />
        </Card>
        <SecondFactor />
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
        {canRead && (
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
        )}
        {canManage ? (
          <div id="replies">
            <Card title="Chat replies">
              <Prefetch queries={[trpc.account.get.queryOptions()]}>
                <KeepReplies maxDays={MAX_REPLY_RETENTION_DAYS} />
              </Prefetch>
            </Card>
          </div>
        ) : (
          <Card title="Membership">
            <LeaveAccount email={account.email} role={actor.person.role} />
          </Card>
        )}
      </div>
    </>
  );
}

const SecondFactor = () => (
  <Card
    title="Second factor"
    action={
      <Button asChild>
        <Link href="/settings/security">Security</Link>
      </Button>
    }
  >
    <p className="text-sm leading-6 text-soft">Passkeys, an authenticator app and recovery codes.</p>
  </Card>
);
