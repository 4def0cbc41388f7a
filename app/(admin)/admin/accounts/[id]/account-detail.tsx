"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../../../trpc/client";
import { Badge } from "../../../../ui/badge";
import { Card } from "../../../../ui/card";
import { BackLink } from "../../../../ui/link";
import { MoneyLines } from "../../../../ui/money";
import { PageHeader } from "../../../../ui/page-header";
import { TimeAgo } from "../../../../ui/time-ago";
import type { AccountRecord } from "../../../types";
import { AccountActions } from "./account-actions";
import { Limits } from "./limits";
import { Notes } from "./notes";
import { ActionList, EndpointList, EntryList, GenerationList, KeyList, MemberList, PaymentList } from "./account-lists";

/** Shows one account: its money, members, keys, what it made, and what operators did. */
export function AccountDetail({ id }: { id: number }) {
  const { data: account } = useQuery(useTRPC().admin.accounts.get.queryOptions({ account: id }));
  if (!account) return null;
  const { email, suspended, member, created_at } = account;
  return (
    <>
      <BackLink href="/admin/accounts">Accounts</BackLink>
      <PageHeader title={email} action={<AccountActions account={account} />}>
        <span className="flex flex-wrap items-center gap-2">
          <span>
            Account {id}, created <TimeAgo at={created_at} />
          </span>
          {suspended && <Badge tone="danger">Suspended</Badge>}
          {member && <Badge tone="accent">Member</Badge>}
        </span>
      </PageHeader>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] lg:items-start">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          <Card flush title="Statement">
            <EntryList entries={account.entries} />
          </Card>
          <Card flush title="Generations">
            <GenerationList generations={account.generations} />
          </Card>
          <Card flush title="API keys and connected apps">
            <KeyList keys={account.keys} />
          </Card>
          <Card flush title="Webhooks">
            <EndpointList endpoints={account.endpoints} />
          </Card>
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          <BalanceCard account={account} />
          {account.payments.length > 0 && (
            <Card flush title="Payments">
              <PaymentList payments={account.payments} />
            </Card>
          )}
          <Card flush title="Members">
            <MemberList members={account.members} />
          </Card>
          <Card title="Limits">
            <Limits limits={account.limits} />
          </Card>
          <Card title="Notes">
            <Notes account={id} notes={account.notes} />
          </Card>
          <Card flush title="Operator actions">
            <ActionList actions={account.actions} />
          </Card>
        </div>
      </div>
    </>
  );
}

const BalanceCard = ({ account: { balance, held, available, owed } }: { account: AccountRecord }) => (
  <Card title="Balance">
    <MoneyLines
      lines={[
        { name: "Balance", euros: balance },
        { name: "Held", euros: held },
        { name: "Available", euros: available },
        ...(owed > 0 ? [{ name: "Owed", euros: owed }] : []),
      ]}
    />
  </Card>
);
