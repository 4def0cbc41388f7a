"use client";

import { useMutation } from "@tanstack/react-query";
import { CircleCheck, TriangleAlert } from "lucide-react";
import { useMutationHandlers } from "../../trpc/use-mutation-handlers";
import { Button } from "../../ui/button";
import { Count } from "../../ui/formats-context";
import { TimeAgo } from "../../ui/time-ago";
import type { HubState } from "../types";
import { useIsOperator } from "../use-operator";

/** Shows what the last audit of the books found, and runs another one. */
export function Verdict({ verdict }: { verdict: HubState["verdict"] }) {
  const isOperator = useIsOperator();
  const { trpc, toast, handlers } = useMutationHandlers((trpc) => [trpc.admin.state.pathFilter()]);
  const onSuccess = () => toast({ text: "The audit runs. Its verdict appears here." });
  const run = useMutation(trpc.admin.state.audit.mutationOptions({ ...handlers, onSuccess }));
  const isWrong = verdict !== null && verdict.violations > 0;
  const Icon = isWrong ? TriangleAlert : CircleCheck;
  return (
    <section
      aria-label="Audit"
      className={`flex flex-wrap items-center gap-x-4 gap-y-3 rounded-xl border px-5 py-4 text-sm leading-6 ${
        isWrong ? "border-danger bg-danger-wash text-danger" : "border-line bg-raised"
      }`}
    >
      <Icon size={20} aria-hidden className={`shrink-0 ${verdict && !isWrong ? "text-good" : ""}`} />
      <div className="min-w-0 flex-1 basis-64">
        <h2 className="font-semibold">{describe(verdict)}</h2>
        {verdict && (
          <p className={isWrong ? "" : "text-soft"}>
            <Count value={verdict.entries} /> ledger entries checked <TimeAgo at={verdict.finished_at} />
          </p>
        )}
        {verdict?.examples.map(({ check, subject, message }) => (
          <p key={`${check} ${subject}`} className="wrap-anywhere">
            {check}: {subject}: {message}
          </p>
        ))}
      </div>
      {isOperator && (
        <Button busy={run.isPending} onClick={() => run.mutate()}>
          Run audit
        </Button>
      )}
    </section>
  );
}

function describe(verdict: HubState["verdict"]): string {
  if (!verdict) return "The books were not audited yet";
  if (verdict.violations === 0) return "The books add up";
  return verdict.violations === 1 ? "1 violation in the books" : `${verdict.violations} violations in the books`;
}
