import { getPageApi } from "@/server/hub";
import { requireSession } from "../../session/caller";
import { Prefetch, trpc } from "../../trpc/prefetch";
import { PageHeader } from "../../ui/page-header";
import { Balance } from "./balance";
import { readDays } from "./read-days";
import { TrialCredit } from "./trial-credit";
import { Warnings } from "./warnings";
import { Activity } from "./activity";
import { Spend } from "./spend";

export const metadata = { title: "Overview" };

interface Props {
  searchParams: Promise<{ days?: string | string[] }>;
}

export default async function OverviewPage({ searchParams }: Props) {
  const { days } = await searchParams;
  const { actor } = await requireSession();
  const { isPermitted } = await getPageApi();
  const [showsMoney, showsGenerations] = [isPermitted(actor, "billing"), isPermitted(actor, "read")];
  const moneyQueries = [
    trpc.balance.daysLeft.queryOptions(),
    trpc.overview.spend.queryOptions({ days: readDays(String(days)) }),
  ];
  const queries = [
    trpc.account.get.queryOptions(),
    trpc.overview.summary.queryOptions(),
    ...(showsMoney ? moneyQueries : []),
    ...(showsGenerations ? [trpc.generations.recent.queryOptions()] : []),
  ];
  return (
    <Prefetch queries={queries}>
      <PageHeader title="Overview">{describePage(showsMoney, showsGenerations)}</PageHeader>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <TrialCredit />
        <Warnings />
        {showsMoney && <Balance />}
        {showsGenerations ? <Activity /> : showsMoney && <Spend />}
      </div>
    </Prefetch>
  );
}

function describePage(showsMoney: boolean, showsGenerations: boolean): string {
  if (showsMoney && showsGenerations) return "Your balance, spend and latest generations.";
  return showsMoney ? "Your balance and spend." : "Your latest generations.";
}
