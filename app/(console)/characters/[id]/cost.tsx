"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../../trpc/client";
import { Card } from "../../../ui/card";
import { Money } from "../../../ui/money";
import type { Detail } from "./character-detail";

/** What it has cost, and what the next step may. */
export function Cost({ of: { status, estimated_cost, billed_cost, resume } }: { of: Detail }) {
  const { data: account } = useQuery(useTRPC().account.get.queryOptions());
  const isHeld = ["awaiting_supply", "queued", "running"].includes(status);
  const lines = [
    { name: "Billed in all", euros: billed_cost ?? 0 },
    isHeld && { name: "Held now", euros: estimated_cost },
    status === "draft" && { name: "Training, at most", euros: estimated_cost },
    resume && { name: "Resuming, at most", euros: resume.estimated_cost },
    { name: "You can spend", euros: account?.available ?? null },
  ].filter((line) => line !== false && line !== null);
  return (
    <Card title="Cost">
      <dl className="grid gap-2 text-sm">
        {lines.map(({ name, euros }) => (
          <div key={name} className="flex justify-between gap-3">
            <dt className="text-soft">{name}</dt>
            <dd className="font-medium">{euros === null ? "—" : <Money euros={euros} />}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
