import type { Metadata } from "next";
import { Prefetch, trpc } from "../../trpc/prefetch";
import { PageHeader } from "../../ui/page-header";
import { Balance } from "./balance";
import { readDays } from "./read-days";
import { TrialCredit } from "./trial-credit";
import { Warnings } from "./warnings";
import { Activity } from "./activity";

export const metadata: Metadata = { title: "Overview" };

interface Props {
  searchParams: Promise<{ days?: string | string[] }>;
}

export default async function OverviewPage({ searchParams }: Props) {
  const { days } = await searchParams;
  const queries = [
    trpc.account.get.queryOptions(),
    trpc.balance.daysLeft.queryOptions(),
    trpc.generations.recent.queryOptions(),
    trpc.overview.summary.queryOptions(),
    trpc.overview.spend.queryOptions({ days: readDays(String(days)) }),
  ];
  return (
    <Prefetch queries={queries}>
      <PageHeader title="Overview">Your balance, spend and latest generations.</PageHeader>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <TrialCredit />
        <Warnings />
        <Balance />
        <Activity />
      </div>
    </Prefetch>
  );
}
