import { getPageApi } from "@/server/hub";
import { requireSession } from "../../session/caller";
import { Prefetch, trpc } from "../../trpc/prefetch";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Link } from "../../ui/link";
import { PageHeader } from "../../ui/page-header";
import { Alerts } from "./alerts";
import { ChangePassword } from "./change-password";
import { ExportData } from "./export-data";
import { CloseAccount } from "./close-account";
import { FormatChoice } from "./format-choice";
import { KeepReplies } from "./keep-replies";
import { LeaveAccount } from "./leave-account";
import { NameAccount } from "./name-account";
import { OwnAlerts } from "./own-alerts";
import { EraseBefore, Retention } from "./retention";
import { SignOutEverywhere } from "./sign-out-everywhere";
import { UsageMetadata } from "./usage-metadata";

export const metadata = { title: "Settings" };

export default async function SettingsPage() {
  const { hub, account, actor } = await requireSession();
  const { isPermitted } = await getPageApi();
  const { email } = actor.person;
  const canManage = isPermitted(actor, "manage");
  const canRead = isPermitted(actor, "read");
  return (
    <>
      <PageHeader title="Settings">{email}</PageHeader>
      <div className="grid max-w-2xl gap-6">
        {canManage && (
          <Card title="Account">
            <NameAccount name={account.name ?? null} email={account.email} />
          </Card>
        )}
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
        <div id="alerts">
          <Card title="Alerts">
            {canManage ? (
              <Prefetch queries={[trpc.alerts.get.queryOptions()]}>
                <Alerts />
              </Prefetch>
            ) : (
              <Prefetch queries={[trpc.alerts.own.queryOptions()]}>
                <OwnAlerts />
              </Prefetch>
            )}
          </Card>
        </div>
        {canManage && <UsageCard />}
        {canManage && <ExportCard />}
        {canManage && <RetentionCard />}
        {canManage && <ClosingCard />}
        {canManage ? (
          <div id="replies">
            <Card title="Chat replies">
              <Prefetch queries={[trpc.account.get.queryOptions()]}>
                <KeepReplies maxDays={hub.env.RETENTION_REPLY_DAYS} />
              </Prefetch>
            </Card>
          </div>
        ) : (
          <Card title="Membership">
            <LeaveAccount name={account.name ?? account.email} role={actor.person.role} />
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

const tags = [
  ..."cs-CZ da-DK de-AT de-CH de-DE el-GR en-AU en-CA en-GB en-IE en-IN en-US es-ES es-MX et-EE fi-FI fr-BE".split(" "),
  ..."fr-CA fr-CH fr-FR hu-HU it-IT ja-JP ko-KR lt-LT lv-LV nb-NO nl-BE nl-NL pl-PL pt-BR pt-PT ro-RO sk-SK".split(" "),
  ..."sl-SI sv-SE tr-TR uk-UA zh-CN zh-TW".split(" "),
];

/** Returns the languages and regions whose formats can be chosen, by name. Browsers may report others. */
function listLocales(): { value: string; label: string }[] {
  const names = new Intl.DisplayNames("en", { type: "language", languageDisplay: "standard" });
  const options = tags.map((value) => ({ value, label: names.of(value) ?? value }));
  return options.sort((one, other) => one.label.localeCompare(other.label, "en"));
}

/** Returns the time zones that can be chosen. */
const listTimeZones = (): string[] => ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];

const ClosingCard = () => (
  <div id="close">
    <Card title="Close account">
      <Prefetch queries={[trpc.account.closing.queryOptions()]}>
        <CloseAccount />
      </Prefetch>
    </Card>
  </div>
);

const RetentionCard = () => (
  <div id="retention">
    <Card title="Retention">
      <Prefetch queries={[trpc.account.retention.queryOptions()]}>
        <div className="grid gap-8">
          <Retention />
          <EraseBefore />
        </div>
      </Prefetch>
    </Card>
  </div>
);

const UsageCard = () => (
  <div id="usage">
    <Card title="Usage">
      <Prefetch queries={[trpc.account.usageMetadata.queryOptions()]}>
        <UsageMetadata />
      </Prefetch>
    </Card>
  </div>
);

const ExportCard = () => (
  <div id="export">
    <Card title="Export data">
      <Prefetch queries={[trpc.exports.newest.queryOptions()]}>
        <ExportData />
      </Prefetch>
    </Card>
  </div>
);
