import type { inferRouterOutputs } from "@trpc/server";
import type { Root } from "@/server/trpc/root";
import { Badge } from "../../ui/badge";
import { CopyButton } from "../../ui/copy-button";
import { Link } from "../../ui/link";
import { Table, Td, Th } from "../../ui/table";
import { TimeAgo } from "../../ui/time-ago";

type Request = inferRouterOutputs<Root>["requests"]["list"]["data"][number];

export const RequestTable = ({ requests }: { requests: Request[] }) => (
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
    <Td className="max-w-40 truncate max-lg:hidden">
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
    className="truncate hover:underline"
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
