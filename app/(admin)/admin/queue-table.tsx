"use client";

import { CircleCheck } from "lucide-react";
import { Count } from "../../ui/formats-context";
import { Notice } from "../../ui/notice";
import { Table, Td, Th } from "../../ui/table";
import { TimeAgo } from "../../ui/time-ago";
import type { HubState } from "../types";

/** Lists the generations that have not ended, by model. */
export function QueueTable({ queues }: { queues: HubState["queues"] }) {
  if (queues.length === 0)
    return (
      <Notice heading="h3" title="Nothing to do" icon={<CircleCheck size={20} />}>
        Generations appear here from their acceptance until they end.
      </Notice>
    );
  return (
    <Table label="Queue">
      <thead>
        <tr>
          <Th>Model</Th>
          <Th className="text-right">Queued</Th>
          <Th className="text-right">Running</Th>
          <Th className="text-right max-sm:hidden">Awaiting files</Th>
          <Th className="max-sm:hidden">Oldest queued</Th>
        </tr>
      </thead>
      <tbody>
        {queues.map(({ model, queued, running, awaiting_supply, oldest_queued_at }) => (
          <tr key={model}>
            <Td className="w-full max-w-0 truncate font-medium" title={model}>
              {model}
            </Td>
            <Td className="text-right tabular-nums">
              <Count value={queued} />
            </Td>
            <Td className="text-right tabular-nums">
              <Count value={running} />
            </Td>
            <Td className="text-right tabular-nums max-sm:hidden">
              <Count value={awaiting_supply} />
            </Td>
            <Td className="text-soft max-sm:hidden">{oldest_queued_at ? <TimeAgo at={oldest_queued_at} /> : "—"}</Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
