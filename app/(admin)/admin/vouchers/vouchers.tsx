"use client";

import { useQuery } from "@tanstack/react-query";
import { Plus, TicketPercent } from "lucide-react";
import { useState } from "react";
import { useTRPC } from "../../../trpc/client";
import type { Outputs } from "../../../trpc/outputs";
import { useHubMutation } from "../../../trpc/use-hub-mutation";
import { Button } from "../../../ui/button";
import { Card } from "../../../ui/card";
import { Money } from "../../../ui/money";
import { Notice } from "../../../ui/notice";
import { PageHeader } from "../../../ui/page-header";
import { Table, Td, Th } from "../../../ui/table";
import { TimeAgo } from "../../../ui/values";
import { useIsOperator } from "../../use-operator";
import { TokenRow } from "../token-row";
import { CreateVoucher } from "./create-voucher";

type Voucher = Outputs["admin"]["vouchers"]["list"]["data"][number];

/** Shows the newest vouchers. */
export function Vouchers() {
  const { data } = useQuery(useTRPC().admin.vouchers.list.queryOptions());
  const [isCreating, setCreating] = useState(false);
  const isOperator = useIsOperator();
  if (!data) return null;
  const create = isOperator && (
    <Button kind="primary" onClick={() => setCreating(true)}>
      <Plus size={16} aria-hidden />
      Create voucher
    </Button>
  );
  return (
    <>
      <PageHeader title="Vouchers" action={create}>
        A code that gives promotional credit, once to each account. It is spent before paid credit and never refunded.
      </PageHeader>
      <Card flush title="Vouchers">
        {data.data.length === 0 ? (
          <Notice heading="h3" title="No vouchers" icon={<TicketPercent size={20} />}>
            Create one and send its code to your customers, who redeem it under Balance.
          </Notice>
        ) : (
          <VoucherTable vouchers={data.data} />
        )}
      </Card>
      <CreateVoucher open={isCreating} onOpenChange={setCreating} />
    </>
  );
}

const VoucherTable = ({ vouchers }: { vouchers: Voucher[] }) => (
  <Table label="Vouchers">
    <thead>
      <tr>
        <Th>Voucher</Th>
        <Th className="text-right">Amount</Th>
        <Th className="text-right">Redeemed</Th>
        <Th className="max-sm:hidden">Expires</Th>
        <Th>
          <span className="sr-only">Actions</span>
        </Th>
      </tr>
    </thead>
    <tbody>
      {vouchers.map((voucher) => (
        <VoucherRow key={voucher.id} voucher={voucher} />
      ))}
    </tbody>
  </Table>
);

function VoucherRow({ voucher }: { voucher: Voucher }) {
  const revoke = useHubMutation((trpc) => trpc.admin.vouchers.revoke, {
    invalidates: (trpc) => [trpc.admin.vouchers.pathFilter()],
    successToast: "Voucher revoked.",
  });
  const { id, note, prefix, amount, redemptions, max_redemptions, expires_at, revoked_at } = voucher;
  return (
    <TokenRow
      token={{ name: note ?? `Voucher ${prefix}`, prefix, revoked_at }}
      what="voucher"
      consequence="Nobody can redeem it any more. Accounts keep what they have redeemed."
      isRevoking={revoke.isPending}
      onRevoke={() => revoke.mutate({ id })}
    >
      <Td className="text-right">
        <Money euros={amount} decimals={2} />
      </Td>
      <Td className="text-right">
        {redemptions} of {max_redemptions}
      </Td>
      <Td className="text-soft max-sm:hidden">{expires_at === null ? "Never" : <TimeAgo at={expires_at} />}</Td>
    </TokenRow>
  );
}
