import type { ReactNode } from "react";
import { getPageApi } from "@/server/hub";
import { requireSession } from "../session/caller";
import { AnnouncementBanner } from "../shell/announcement-banner";
import { FollowAccount } from "../shell/follow-account";
import { Frame } from "../shell/frame";
import { AccountSwitcher, ClosingBanner, ViewBanner } from "../shell/rare-parts";
import { ShownPricesProvider } from "../ui/shown-prices";

/** Lays out the console of an account. */
export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const session = await requireSession("self");
  const { view } = session.actor;
  const { PRICES_WITH_VAT, STRIPE_TAX } = session.hub.env;
  const { name, email, closesAt } = session.account;
  const { findAnnouncement, listAccounts } = await getPageApi();
  const [accounts, announcement] = await Promise.all([listAccounts(session), findAnnouncement(session.hub)]);
  const banner = (
    <>
      {view && <ViewBanner account={name ?? email} until={view.until.toISOString()} showsContent={view.showsContent} />}
      {closesAt && <ClosingBanner closesAt={closesAt.toISOString()} />}
      {announcement && <AnnouncementBanner announcement={announcement} />}
    </>
  );
  const identity = accounts.length > 1 && (
    <AccountSwitcher accountId={session.account.id} personEmail={session.actor.person.email} accounts={accounts} />
  );
  return (
    <Frame session={session} area="console" banner={banner} identity={identity}>
      <FollowAccount accountId={session.account.id} />
      <ShownPricesProvider vat={PRICES_WITH_VAT ?? null} addsTax={STRIPE_TAX === "on"}>
        {children}
      </ShownPricesProvider>
    </Frame>
  );
}
