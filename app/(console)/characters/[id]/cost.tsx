"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../../trpc/client";
import { Card } from "../../../ui/card";
import { MoneyLines } from "../../../ui/money-lines";
import { isBusy } from "../is-busy";
import type { Character } from "../types";

/** Shows the cost so far and the most that the next step can cost. */
export function Cost({ character: { status, estimated_cost, billed_cost, resume } }: { character: Character }) {
  const { data: account } = useQuery(useTRPC().account.get.queryOptions());
  const lines = [
    { name: "Total billed", euros: billed_cost ?? 0 },
    isBusy({ status }) && { name: "Reserved", euros: estimated_cost },
    status === "draft" && { name: "Training, up to", euros: estimated_cost },
    resume && { name: "Resuming, up to", euros: resume.estimated_cost },
    { name: "Available", euros: account?.available ?? null },
  ].filter((line) => line !== false && line !== null);
  return (
    <Card title="Cost">
      <MoneyLines lines={lines} />
    </Card>
  );
}
