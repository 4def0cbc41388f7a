"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTRPC } from "../../trpc/client";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Money } from "../../ui/money";
import { StatusBadge } from "../../ui/status-badge";
import { Table, Td, Th } from "../../ui/table";
import { TimeAgo } from "../../ui/time-ago";
import { NoGenerations } from "../generations/no-generations";

const BUSY_MS = 2_000;
const QUIET_MS = 15_000;

export function Recent() {
  const { data } = useQuery({
    ...useTRPC().generations.recent.queryOptions(),
    refetchInterval: ({ state }) => (state.data?.some((one) => one.completed_at === null) ? BUSY_MS : QUIET_MS),
  });
  if (data?.length === 0) {
    return (
      <Card title="Recent generations">
        <NoGenerations isNarrowed={false} />
      </Card>
    );
  }
  return (
    <Card
      title="Recent generations"
      flush
      action={
        <Button asChild>
          <Link href="/generations">All generations</Link>
        </Button>
      }
    >
      <Table label="Recent generations">
        <thead>
          <tr>
            <Th>Generation</Th>
            <Th>Status</Th>
            <Th className="text-right">Cost</Th>
            <Th>Created</Th>
          </tr>
        </thead>
        <tbody>
          {data?.map(({ id, title, model, status, billed_cost, estimated_cost, created_at }) => (
            <tr key={id}>
              <Td className="w-full max-w-0 font-medium">
                <Link href={`/generations/${id}`} className="block truncate hover:underline">
                  {title ?? model}
                </Link>
              </Td>
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
