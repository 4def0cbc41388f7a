import type { inferRouterOutputs } from "@trpc/server";
import Link from "next/link";
import type { Root } from "@/server/trpc/root";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Money } from "../../ui/money";
import { StatusBadge } from "../../ui/status-badge";
import { Table, Td, Th } from "../../ui/table";
import { TimeAgo } from "../../ui/time-ago";

interface Props {
  generations: inferRouterOutputs<Root>["generations"]["recent"];
}

export const Recent = ({ generations }: Props) => (
  <Card
    title="Recent generations"
    flush
    action={
      <Button asChild>
        <Link href="/generations">All generations</Link>
      </Button>
    }
  >
    <Table label="The newest">
      <thead>
        <tr>
          <Th>Generation</Th>
          <Th>Status</Th>
          <Th className="text-right">Cost</Th>
          <Th className="max-md:hidden">Created</Th>
        </tr>
      </thead>
      <tbody>
        {generations.map(({ id, title, model, status, billed_cost, estimated_cost, created_at }) => (
          <tr key={id} className="hover:bg-sunken/60">
            <Td className="w-full max-w-0">
              <Link href={`/generations/${id}`} className="block truncate font-medium hover:underline">
                {title ?? model}
              </Link>
              <span className="block truncate text-xs text-soft">{model}</span>
            </Td>
            <Td>
              <StatusBadge status={status} />
            </Td>
            <Td className="text-right">
              <Money euros={billed_cost ?? estimated_cost} className={billed_cost === null ? "text-soft" : ""} />
            </Td>
            <Td className="text-soft max-md:hidden">
              <TimeAgo at={created_at} />
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  </Card>
);
