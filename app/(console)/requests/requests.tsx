"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleX } from "lucide-react";
import { useTRPC } from "../../trpc/client";
import { pollUnlessQuiet } from "../../trpc/quiet-page";
import type { Outputs } from "../../trpc/outputs";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { CopyButton } from "../../ui/copy-button";
import { FilterCombobox, Filters, FilterSelect } from "../../ui/filter";
import { FilterDates } from "../../ui/filter-dates";
import { FilterSearch } from "../../ui/filter-search";
import { Link } from "../../ui/link";
import { NotLoaded } from "../../ui/not-loaded";
import { Notice } from "../../ui/notice";
import { PageHeader } from "../../ui/page-header";
import { Pager, useCursor } from "../../ui/pager";
import { Sample } from "../../ui/sample";
import { Table, Td, Th } from "../../ui/table";
import { useSearch } from "../../ui/use-search";
import { Count, TimeAgo } from "../../ui/values";
import { codes, readFilters } from "./read-filters";

const POLL_INTERVAL_MS = 5_000;

export function Requests() {
  const { read, change } = useSearch();
  const filters = readFilters(read);
  const pager = useCursor(JSON.stringify(filters));
  const query = useQuery({
    ...useTRPC().requests.list.queryOptions({ ...filters, cursor: pager.cursor }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: "always",
    refetchInterval: () => pager.isFirst && pollUnlessQuiet(POLL_INTERVAL_MS),
  });
  const { data } = query;
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <>
      <PageHeader title="Requests">
        API requests of the last 7 days that were rejected, and why. Request and response bodies are not stored.
      </PageHeader>
      <Card flush title="Last 7 days">
        <RequestFilters filters={filters} onChange={change} />
        {data && data.data.length > 0 && <RequestTable requests={data.data} />}
        {data?.data.length === 0 && <NoRequests isFiltered={isFiltered} />}
        {!data && <NotLoaded what="The list" query={query} />}
        {data && data.dropped > 0 && (
          <p className="border-t border-line px-5 py-3 text-sm text-soft">
            <Count value={data.dropped} /> more rejected {data.dropped === 1 ? "request was" : "requests were"} not
            stored in this period: the hub keeps the first ones of each minute.
          </p>
        )}
        <Pager pager={pager} next={data?.next_cursor} />
      </Card>
    </>
  );
}

const sample = (
  <Sample
    icon={<CircleX size={18} />}
    title="POST /api/v1/hub/generations"
    detail="model_not_found · my-app · 2 minutes ago"
    end={<Badge tone="warning">404</Badge>}
  />
);

/** Shows the empty state of the list. */
function NoRequests({ isFiltered }: { isFiltered: boolean }) {
  const action = (
    <Button asChild>
      {isFiltered ? <Link href="/requests">Clear filters</Link> : <Link href="/docs/hub/errors">View error codes</Link>}
    </Button>
  );
  return (
    <Notice
      heading="h3"
      title={isFiltered ? "No matches" : "No rejected requests"}
      icon={<CircleCheck size={20} />}
      sample={!isFiltered && sample}
      action={action}
    >
      {isFiltered
        ? "No rejected requests match these filters."
        : "When a request with one of your API keys fails, it appears here with its error for 7 days."}
    </Notice>
  );
}

interface Props {
  filters: ReturnType<typeof readFilters>;
  onChange: (name: string, value: string) => void;
}

function RequestFilters({ filters: { key, code, from, to, request_id }, onChange }: Props) {
  const { data: keys = [] } = useQuery(useTRPC().keys.list.queryOptions());
  return (
    <Filters aria-label="Filters">
      <FilterSearch
        aria-label="Request ID"
        placeholder="Paste a request ID"
        className="basis-56"
        value={request_id ?? ""}
        onSearch={(text) => onChange("request", text)}
      />
      <FilterCombobox
        label="Key"
        options={keys.map(({ id, name, prefix }) => ({ value: id, label: `${name} (${prefix}…)` }))}
        value={key ?? ""}
        onChange={(value) => onChange("key", value)}
      />
      <FilterSelect label="Error" value={code ?? ""} onChange={(event) => onChange("code", event.target.value)}>
        <option value="">Any</option>
        {codes.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </FilterSelect>
      <FilterDates from={from} to={to} onChange={onChange} />
      <span className="text-xs text-soft">Dates in UTC</span>
    </Filters>
  );
}

type Request = Outputs["requests"]["list"]["data"][number];

const RequestTable = ({ requests }: { requests: Request[] }) => (
  <Table label="Rejected requests">
    <thead>
      <tr>
        <Th>Request</Th>
        <Th className="max-lg:hidden">Key</Th>
        <Th className="max-md:hidden">Request ID</Th>
        <Th className="max-md:hidden">Time</Th>
      </tr>
    </thead>
    <tbody>
      {requests.map((request) => (
        <Row key={request.id} request={request} />
      ))}
    </tbody>
  </Table>
);

const Row = ({
  request: { key, method, path, status, code, message, request_id, created_at },
}: {
  request: Request;
}) => (
  <tr>
    <Td className="w-full max-w-0">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Badge tone={status >= 500 ? "danger" : "warning"}>{status}</Badge>
        <Link
          href={`/docs/hub/errors#${code}`}
          title="About this error"
          className="font-mono text-xs text-accent underline pointer-coarse:py-3"
        >
          {code}
        </Link>
        <code className="min-w-0 font-mono text-xs break-all whitespace-normal">
          {method} {path}
        </code>
      </span>
      <span className="mt-1 block break-words whitespace-normal text-soft">{message}</span>
      <span className="mt-1 flex flex-wrap items-center gap-x-2 text-xs text-soft lg:hidden">
        <KeyLink {...key} />
        <span className="flex min-w-0 items-center gap-1 md:hidden">
          <TimeAgo at={created_at} /> · <RequestId id={request_id} />
        </span>
      </span>
    </Td>
    <Td className="max-w-40 max-lg:hidden">
      <KeyLink {...key} />
    </Td>
    <Td className="max-w-56 max-md:hidden">
      <RequestId id={request_id} />
    </Td>
    <Td className="text-soft max-md:hidden">
      <TimeAgo at={created_at} />
    </Td>
  </tr>
);

const KeyLink = ({ id, name, scope }: Request["key"]) => (
  <Link
    href={scope === "api" ? `/keys/${id}` : "/settings/connections"}
    title={name}
    className="block truncate hover:underline"
  >
    {name}
  </Link>
);

const RequestId = ({ id }: { id: string }) => (
  <span className="flex min-w-0 items-center">
    <code className="min-w-0 truncate font-mono text-xs" title={id}>
      {id}
    </code>
    <CopyButton text={id} label="Copy request ID" subject={id} iconOnly />
  </span>
);
