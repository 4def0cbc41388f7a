import { Prefetch, trpc } from "../../trpc/prefetch";
import { PageHeader } from "../../ui/page-header";
import { createSearchReader, type SearchParams } from "../../ui/search";
import { CreditTaxNote } from "../../ui/shown-prices";
import { Balance } from "../overview/balance";
import { Holds } from "./holds";
import { readFilters } from "./read-filters";
import { Payments } from "./payments";
import { RedeemVoucher } from "./redeem-voucher";
import { Statement } from "./statement";
import { TaxProfile } from "./tax-profile";

export const metadata = { title: "Balance" };

export default async function BalancePage({ searchParams }: { searchParams: SearchParams }) {
  const read = await createSearchReader(searchParams);
  const filters = { ...readFilters(read), cursor: read("cursor") || undefined };
  const queries = [
    trpc.account.get.queryOptions(),
    trpc.balance.daysLeft.queryOptions(),
    trpc.balance.holds.queryOptions(),
    trpc.payments.get.queryOptions(),
    trpc.payments.tax.queryOptions(),
    trpc.balance.statement.queryOptions(filters),
  ];
  return (
    <Prefetch queries={queries}>
      <PageHeader title="Balance">
        Prepaid credit. We reserve the estimate and charge the actual cost, never more. <CreditTaxNote />
      </PageHeader>
      <div className="grid gap-6">
        <Balance />
        <Payments />
        <div className="grid gap-6 lg:grid-cols-2">
          <RedeemVoucher />
          <TaxProfile />
        </div>
        <Holds />
        <Statement />
      </div>
    </Prefetch>
  );
}
