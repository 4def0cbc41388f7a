"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC, useTRPCClient } from "../../trpc/client";
import { ConfirmedButton } from "../../ui/dialog";
import { Money } from "../../ui/money";
import { useToast } from "../../ui/toasts";
import type { GenerationSummary } from "./types";

interface Props {
  selected: GenerationSummary[];
  onDone: () => void;
}

const isWaiting = ({ status }: GenerationSummary) => status === "queued" || status === "awaiting_supply";
const isStoppable = ({ status, is_llm }: GenerationSummary) => status === "running" && !is_llm;

/** Cancels the selected generations that wait, and stops those that run; renders nothing without any. */
export function CancelSelected({ selected, onDone }: Props) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const toast = useToast();
  const running = selected.filter(isStoppable);
  const unfinished = selected.filter((one) => isWaiting(one) || isStoppable(one));
  const cancel = useMutation({
    // Sent as one request. A generation that has started since then continues, and the others are still canceled.
    mutationFn: (generations: GenerationSummary[]) =>
      Promise.allSettled(
        generations.map((one) => client.generations.cancel.mutate({ id: one.id, stop_running: isStoppable(one) })),
      ),
    onSuccess: (results) => {
      const count = results.filter(({ status }) => status === "fulfilled").length;
      const failed = results.length - count;
      if (failed > 0) toast({ text: `${count} canceled, ${failed} could not be.`, tone: "danger" });
      else toast({ text: count === 1 ? "Generation canceled." : `${count} generations canceled.` });
      onDone();
      return Promise.all([
        queries.invalidateQueries(trpc.generations.pathFilter()),
        queries.invalidateQueries(trpc.account.pathFilter()),
      ]);
    },
  });
  if (unfinished.length === 0) return null;
  const noun = unfinished.length === 1 ? "generation" : "generations";
  return (
    <ConfirmedButton
      needs="develop"
      busy={cancel.isPending}
      title={`Cancel ${unfinished.length} ${noun}?`}
      verb={`Cancel ${noun}`}
      question={
        <>
          {unfinished.length < selected.length && "The others have already ended or cannot be stopped. "}
          {running.length > 0 ? (
            <>
              {running.length} already {running.length === 1 ? "runs" : "run"} and may cost up to{" "}
              <Money euros={running.reduce((sum, { estimated_cost }) => sum + estimated_cost, 0)} />, even without a
              result.
            </>
          ) : (
            "Nothing is charged and the reserved amount is released."
          )}{" "}
          This cannot be undone.
        </>
      }
      onConfirm={() => cancel.mutate(unfinished)}
    >
      Cancel {unfinished.length}
      <span className="max-sm:sr-only">{noun}</span>
    </ConfirmedButton>
  );
}
