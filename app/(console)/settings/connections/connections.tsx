"use client";

import { useQuery } from "@tanstack/react-query";
import { Plug } from "lucide-react";
import { useTRPC } from "../../../trpc/client";
import { Card } from "../../../ui/card";
import { Notice } from "../../../ui/notice";
import { Table, Th } from "../../../ui/table";
import { ConnectionRow } from "./connection-row";

export function Connections() {
  const { data: connections = [] } = useQuery(useTRPC().connections.list.queryOptions());
  return (
    <Card flush title="Connected">
      {connections.length > 0 ? (
        <Table label="Connected apps">
          <thead>
            <tr>
              <Th>App</Th>
              <Th className="max-md:hidden">Spent</Th>
              <Th className="max-md:hidden">Last used</Th>
              <Th className="max-md:hidden">Expires</Th>
              <Th>
                <span className="sr-only">Actions</span>
              </Th>
            </tr>
          </thead>
          <tbody>
            {connections.map((connection) => (
              <ConnectionRow key={connection.id} connection={connection} />
            ))}
          </tbody>
        </Table>
      ) : (
        <Notice heading="h3" title="No connected apps" icon={<Plug size={20} />}>
          Add the MCP server at <code>/mcp</code> of this hub to an app such as Claude. It asks you for a spend limit
          before it can generate.
        </Notice>
      )}
    </Card>
  );
}
