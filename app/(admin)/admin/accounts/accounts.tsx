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

/** Lists accounts as sentences, with links to their payments and to what operators did to them. */
const AccountTable = ({ accounts }: { accounts: AccountRow[] }) => (
  <Table label="Accounts">
    <thead>
      <tr>
        <Th>Account</Th>
        <Th className="max-lg:hidden">Created</Th>
        <Th className="text-right">Balance</Th>
      </tr>
    </thead>
    <tbody>
      {accounts.map((account) => (
        <Row key={account.id} account={account} />
      ))}
    </tbody>
  </Table>
);

const Row = ({
  account: { id, name, email, suspended, member, balance, held, created_at },
}: {
  account: AccountRow;
}) => (
  <tr>
    <Td className="w-full max-w-0">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="whitespace-normal wrap-anywhere">
          <Link href={`/admin/accounts/${id}`} className="font-medium text-accent underline" title={email}>
            {name ?? email}
          </Link>{" "}
          {balance === 0 ? (
            "has no credit"
          ) : (
            <>
              has <Money euros={balance} decimals={2} />
            </>
          )}
          {held > 0 && (
            <>
              , of which <Money euros={held} /> is reserved
            </>
          )}
          .
        </span>
        {suspended && <Badge tone="danger">Suspended</Badge>}
        {member && <Badge tone="accent">Member</Badge>}
      </p>
      <p className="flex flex-wrap gap-x-3 text-xs leading-6 whitespace-normal text-soft tabular-nums">
        <span className="wrap-anywhere">
          Account {id}
          {name !== null && ` · ${email}`}
          <span className="lg:hidden">
            {" "}
            · created <TimeAgo at={created_at} />
          </span>
        </span>
        <Link href={`/admin/payments?q=${id}`} className="underline" aria-label={`Payments of account ${id}`}>
          Payments
        </Link>
        <Link href={`/admin/audit-log?target=${id}`} className="underline" aria-label={`Audit log of account ${id}`}>
          Audit log
        </Link>
      </p>
    </Td>
    <Td className="text-soft max-lg:hidden">
      <TimeAgo at={created_at} />
    </Td>
    <Td className="text-right font-medium">
      <Money euros={balance} decimals={2} />
    </Td>
  </tr>
);
