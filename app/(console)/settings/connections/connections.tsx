"use client";

import { useQuery } from "@tanstack/react-query";
import { Plug } from "lucide-react";
import { useTRPC } from "../../../trpc/client";
import type { Outputs } from "../../../trpc/outputs";
import { useHubMutation } from "../../../trpc/use-hub-mutation";
import { Card } from "../../../ui/card";
import { ConfirmedButton } from "../../../ui/dialog";
import { Money } from "../../../ui/money";
import { Notice } from "../../../ui/notice";
import { Meter } from "../../../ui/progress-bar";
import { ActionTable, Td } from "../../../ui/table";
import { TimeAgo, TimeUntil } from "../../../ui/values";

export function Connections() {
  const { data: connections = [] } = useQuery(useTRPC().connections.list.queryOptions());
  return (
    <Card flush title="Connected">
      {connections.length > 0 ? (
        <ActionTable
          label="Connected apps"
          columns={[
            { title: "App" },
            { title: "Spent", className: "max-md:hidden" },
            { title: "Last used", className: "max-md:hidden" },
            { title: "Expires", className: "max-md:hidden" },
          ]}
        >
          {connections.map((connection) => (
            <ConnectionRow key={connection.id} connection={connection} />
          ))}
        </ActionTable>
      ) : (
        <Notice heading="h3" title="No connected apps" icon={<Plug size={20} />}>
          Add the MCP server at <code>/mcp</code> of this hub to an app such as Claude. It asks you for a spend limit
          before it can generate.
        </Notice>
      )}
    </Card>
  );
}

type Connection = Outputs["connections"]["list"][number];

function ConnectionRow({ connection }: { connection: Connection }) {
  const { name, last_used_at, expires_at } = connection;
  return (
    <tr>
      <Td className="max-w-72 max-md:w-full max-md:max-w-0 max-md:pr-0">
        <span className="block truncate font-medium" title={name}>
          {name}
        </span>
        <span className="block truncate text-xs text-soft">{describeOrigin(connection)}</span>
        <div className="mt-2 grid gap-1 md:hidden">
          <Spending connection={connection} />
          <span className="text-xs text-soft">
            Expires <TimeUntil at={expires_at} />
          </span>
        </div>
      </Td>
      <Td className="max-md:hidden">
        <Spending connection={connection} />
      </Td>
      <Td className="text-soft max-md:hidden">{last_used_at ? <TimeAgo at={last_used_at} /> : "Never"}</Td>
      <Td className="text-soft max-md:hidden">
        <TimeUntil at={expires_at} />
      </Td>
      <Td className="text-right">
        <EndConnection connection={connection} />
      </Td>
    </tr>
  );
}

function describeOrigin({ host, redirect }: Connection): string {
  if (host) return host;
  return redirect.kind === "computer" ? "A program on a computer" : redirect.host;
}

const Spending = ({ connection: { spent, spend_limit } }: { connection: Connection }) => (
  <div className="grid w-36 gap-1">
    <span>
      <Money euros={spent} /> <span className="text-soft">of</span> <Money euros={spend_limit} />
    </span>
    <Meter share={spent / spend_limit} label="Spent" />
  </div>
);

/** Ends a connection after a confirmation. */
function EndConnection({ connection: { id, name } }: { connection: Connection }) {
  const end = useHubMutation((trpc) => trpc.connections.end, {
    invalidates: (trpc) => [trpc.connections.pathFilter()],
    successToast: "Connection ended.",
  });
  return (
    <ConfirmedButton
      needs="develop"
      label={`Disconnect ${name}`}
      busy={end.isPending}
      title={`Disconnect “${name}”?`}
      verb="Disconnect"
      question="It loses access immediately. Generations that it started still run and are charged. To use it again, reconnect it."
      onConfirm={() => end.mutate({ id })}
    >
      Disconnect
    </ConfirmedButton>
  );
}
