import { Badge } from "../../ui/badge";
import { Link } from "../../ui/link";
import { LongText } from "../../ui/long-text";
import { Table, Td, Th } from "../../ui/table";
import { TimeAgo } from "../../ui/values";
import { EndpointState, HealthStrip } from "./health";
import type { Endpoint, Health } from "./types";

interface Props {
  label: string;
  endpoints: Endpoint[];
  health: Health[];
}

export const WebhookTable = ({ label, endpoints, health }: Props) => (
  <Table label={label}>
    <thead>
      <tr>
        <Th>URL</Th>
        <Th className="max-sm:hidden">Status</Th>
        <Th className="max-lg:hidden">Last 24 hours</Th>
        <Th className="max-md:hidden">Created</Th>
      </tr>
    </thead>
    <tbody>
      {endpoints.map((endpoint) => (
        <Row key={endpoint.id} endpoint={endpoint} health={health.find(({ id }) => id === endpoint.id)} />
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

function Row({ endpoint, health }: { endpoint: Endpoint; health: Health | undefined }) {
  return (
    <tr className="hover:bg-sunken/60">
      <Td className="w-full max-w-0">
        <Link href={`/webhooks/${endpoint.id}`} className="block font-medium hover:underline">
          <LongText text={endpoint.url} />
        </Link>
        <span className="mt-1.5 block max-md:hidden">
          <EventNames names={endpoint.events} />
        </span>
        <span className="mt-1.5 grid gap-1.5 lg:hidden">
          <span className="sm:hidden">
            <EndpointState endpoint={endpoint} health={health} />
          </span>
          {health && <HealthStrip hours={health.hours} />}
        </span>
      </Td>
      <Td className="max-sm:hidden">
        <EndpointState endpoint={endpoint} health={health} />
      </Td>
      <Td className="max-lg:hidden">{health && <HealthStrip hours={health.hours} />}</Td>
      <Td className="text-soft max-md:hidden">
        <TimeAgo at={endpoint.created_at} />
      </Td>
    </tr>
  );
}
