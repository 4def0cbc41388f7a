"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Users } from "lucide-react";
import { useTRPC } from "../../../trpc/client";
import { Badge } from "../../../ui/badge";
import { Card } from "../../../ui/card";
import { Filters } from "../../../ui/filter";
import { Link } from "../../../ui/link";
import { Money } from "../../../ui/money";
import { NotLoaded } from "../../../ui/not-loaded";
import { Notice } from "../../../ui/notice";
import { PageHeader } from "../../../ui/page-header";
import { Pager, useCursor } from "../../../ui/pager";
import { Table, Td, Th } from "../../../ui/table";
import { useDebouncedValue } from "../../../ui/use-debounced-value";
import { useSearch } from "../../../ui/use-search";
import { TimeAgo } from "../../../ui/values";
import { SearchBox } from "../../search-box";
import type { AccountRow } from "../../types";

/** Lists the accounts of the hub, with a search. */
export function Accounts() {
  const { read, change } = useSearch();
  const text = read("q") ?? "";
  const q = useDebouncedValue(text);
  const pager = useCursor(q);
  const before = pager.cursor === undefined ? undefined : Number(pager.cursor);
  const query = useQuery({
    ...useTRPC().admin.accounts.list.queryOptions(before === undefined ? { q } : { q, before }),
    placeholderData: keepPreviousData,
  });
  const { data } = query;
  return (
    <>
      <PageHeader title="Accounts">Everyone with a balance on this hub.</PageHeader>
      <Card flush title={q === "" ? "Newest first" : "Results"}>
        <Filters>
          <SearchBox
            label="Search accounts"
            placeholder="Name, e-mail address, @domain, account ID, key or generation ID"
            value={text}
            onChange={(value) => change("q", value)}
          />
        </Filters>
        {data && <Results accounts={data.data} isSearched={q !== ""} />}
        {!data && <NotLoaded what="The list" query={query} />}
        <Pager pager={pager} next={data?.next?.toString()} />
      </Card>
    </>
  );
}

function Results({ accounts, isSearched }: { accounts: AccountRow[]; isSearched: boolean }) {
  if (accounts.length > 0) return <AccountTable accounts={accounts} />;
  return (
    <Notice heading="h3" title={isSearched ? "No matches" : "No accounts yet"} icon={<Users size={20} />}>
      {isSearched
        ? "Search by the start of a name or an e-mail address, by @domain, or by a full ID."
        : "Create one with npm run hub -- account create, or open sign-up."}
    </Notice>
  );
}

const AccountTable = ({ accounts }: { accounts: AccountRow[] }) => (
  <Table label="Accounts">
    <thead>
      <tr>
        <Th>Account</Th>
        <Th className="text-right">Balance</Th>
        <Th className="text-right max-md:hidden">Reserved</Th>
        <Th className="max-md:hidden">Created</Th>
      </tr>
    </thead>
    <tbody>
      {accounts.map(({ id, name, email, suspended, member, balance, held, created_at }) => (
        <tr key={id}>
          <Td className="w-full max-w-0">
            <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <Link
                href={`/admin/accounts/${id}`}
                className="max-w-full truncate font-medium hover:underline"
                title={email}
              >
                {name ?? email}
              </Link>
              {suspended && <Badge tone="danger">Suspended</Badge>}
              {member && <Badge tone="accent">Member</Badge>}
            </span>
            <span className="text-xs text-soft tabular-nums">
              Account {id}
              {name !== null && ` · ${email}`}
            </span>
          </Td>
          <Td className="text-right">
            <Money euros={balance} decimals={2} />
          </Td>
          <Td className="text-right max-md:hidden">
            <Money euros={held} decimals={2} />
          </Td>
          <Td className="text-soft max-md:hidden">
            <TimeAgo at={created_at} />
          </Td>
        </tr>
      ))}
    </tbody>
  </Table>
);
