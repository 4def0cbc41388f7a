import { Badge } from "../../ui/badge";
import { Link } from "../../ui/link";
import { LongText } from "../../ui/long-text";
import { Table, Td, Th } from "../../ui/table";
import { TimeAgo } from "../../ui/values";
import type { Endpoint } from "./types";

export const WebhookTable = ({ label, endpoints }: { label: string; endpoints: Endpoint[] }) => (
  <Table label={label}>
    <thead>
      <tr>
        <Th>URL</Th>
        <Th className="max-md:hidden">Events</Th>
        <Th className="max-sm:hidden">Status</Th>
        <Th className="max-md:hidden">Created</Th>
      </tr>
    </thead>
    <tbody>
      {endpoints.map((endpoint) => (
        <tr key={endpoint.id} className="hover:bg-sunken/60">
          <Td className="w-full max-w-0">
            <Link href={`/webhooks/${endpoint.id}`} className="block font-medium hover:underline">
              <LongText text={endpoint.url} />
            </Link>
            <span className="mt-1.5 block sm:hidden">
              <EndpointState endpoint={endpoint} />
            </span>
          </Td>
          <Td className="max-md:hidden">
            <EventNames names={endpoint.events} />
          </Td>
          <Td className="max-sm:hidden">
            <EndpointState endpoint={endpoint} />
          </Td>
          <Td className="text-soft max-md:hidden">
            <TimeAgo at={endpoint.created_at} />
          </Td>
        </tr>
      ))}
    </tbody>
  </Table>
);

export const EventNames = ({ names }: { names: string[] }) => (
  <span className="flex flex-wrap gap-1">
    {names.map((name) => (
      <Badge key={name}>{name}</Badge>
    ))}
  </span>
);

export function EndpointState({ endpoint: { status, last_error } }: { endpoint: Endpoint }) {
  if (status === "revoked") return <Badge tone="danger">Revoked</Badge>;
  return (
    <span className="flex flex-wrap items-center gap-1">
      <Badge tone="good">Active</Badge>
      {last_error && (
        <span title={last_error.message}>
          <Badge tone="warning">
            <span>
              Last failure <TimeAgo at={last_error.at} />
            </span>
          </Badge>
        </span>
      )}
    </span>
  );
}
