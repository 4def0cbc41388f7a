"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../trpc/client";
import { pollUnlessQuiet } from "../../trpc/quiet-page";
import { usePermission } from "../../ui/access-context";
import { StatusBadge } from "../../ui/badge";
import { Card } from "../../ui/card";
import { Link } from "../../ui/link";
import { Money } from "../../ui/money";
import { Table, Td, Th } from "../../ui/table";
import { TimeAgo } from "../../ui/values";

const POLL_INTERVAL_MS = 5_000;

/** Lists the current holds; renders nothing without any. */
export function Holds() {
  const { data: holds = [] } = useQuery({
    ...useTRPC().balance.holds.queryOptions(),
    refetchInterval: () => pollUnlessQuiet(POLL_INTERVAL_MS),
  });
  const canRead = usePermission("read");
  if (holds.length === 0) return null;
  return (
    <Card flush title="Reserved for running work">
      <Table label="Reserved amounts">
        <thead>
          <tr>
            <Th>Model</Th>
            <Th className="max-sm:hidden">Status</Th>
            <Th className="max-sm:hidden">Since</Th>
            <Th className="text-right">Reserved</Th>
          </tr>
        </thead>
        <tbody>
          {holds.map(({ id, model, status, held, created_at }) => (
            <tr key={id}>
              <Td className="w-full max-w-0">
                {canRead ? (
                  <Link href={`/generations/${id}`} className="block truncate font-medium hover:underline">
                    {model}
                  </Link>
                ) : (
                  <span className="block truncate font-medium">{model}</span>
                )}
                <span className="mt-1 block sm:hidden">
                  <StatusBadge status={status} />
                </span>
              </Td>
              <Td className="max-sm:hidden">
                <StatusBadge status={status} />
              </Td>
              <Td className="text-soft max-sm:hidden">
                <TimeAgo at={created_at} />
              </Td>
              <Td className="text-right">
                <Money euros={held} />
              </Td>
            </tr>
          ))}
        </tbody>
      </Table>
      {holds.length === 20 && <p className="px-5 py-3 text-xs text-soft">Showing the newest 20.</p>}
    </Card>
  );
}
