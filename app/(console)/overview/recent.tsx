"use client";

import { useQuery } from "@tanstack/react-query";
import { Sparkles } from "lucide-react";
import Link from "next/link";
import { useTRPC } from "../../trpc/client";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Money } from "../../ui/money";
import { Notice } from "../../ui/notice";
import { StatusBadge } from "../../ui/status-badge";
import { Table, Td, Th } from "../../ui/table";
import { TimeAgo } from "../../ui/time-ago";

const BUSY_MS = 2_000;
const QUIET_MS = 15_000;

export function Recent() {
  const { data } = useQuery({
    ...useTRPC().generations.recent.queryOptions(),
    refetchInterval: ({ state }) => (state.data?.some((one) => one.completed_at === null) ? BUSY_MS : QUIET_MS),
  });
  if (data?.length === 0) {
    const action = (
      <Button kind="primary" asChild>
        <Link href="/keys">Create an API key</Link>
      </Button>
    );
    return (
      <Card title="Recent generations">
        <Notice title="Nothing was generated yet" icon={<Sparkles size={20} />} action={action}>
          Make a key, and send your first request as the{" "}
          <Link href="/docs" className="text-accent underline">
            documentation
          </Link>{" "}
          shows.
        </Notice>
      </Card>
    );
  }
  return (
    <Card title="Recent generations" flush>
      <Table label="Recent generations">
        <thead>
          <tr>
            <Th>Model</Th>
            <Th>Status</Th>
            <Th className="text-right">Cost</Th>
            <Th>Created</Th>
          </tr>
        </thead>
        <tbody>
          {data?.map(({ id, model, status, billed_cost, estimated_cost, created_at }) => (
            <tr key={id}>
              <Td className="font-medium">{model}</Td>
              <Td>
                <StatusBadge status={status} />
              </Td>
              <Td className="text-right">
                <Money euros={billed_cost ?? estimated_cost} className={billed_cost === null ? "text-soft" : ""} />
              </Td>
              <Td className="text-soft">
                <TimeAgo at={created_at} />
              </Td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Card>
  );
}
