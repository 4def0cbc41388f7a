"use client";

import { useHubMutation } from "../../trpc/use-hub-mutation";
import { ConfirmedButton } from "../../ui/dialog";
import type { Batch } from "./types";

/** Cancels the generations of a batch that have not started, after a confirmation; renders nothing without any. */
export function CancelBatch({ batch: { id, model, status, counts } }: { batch: Batch }) {
  const cancel = useHubMutation((trpc) => trpc.batches.cancel, {
    invalidates: (trpc) => [trpc.batches.pathFilter(), trpc.generations.pathFilter(), trpc.account.pathFilter()],
    successToast: "Batch canceled.",
  });
  const waiting = counts.queued + counts.awaiting_supply;
  if (status !== "running" || waiting === 0) return null;
  const noun = waiting === 1 ? "generation has" : "generations have";
  return (
    <ConfirmedButton
      needs="develop"
      busy={cancel.isPending}
      label={`Cancel batch of ${model}`}
      title="Cancel this batch?"
      verb="Cancel batch"
      question={
        `${waiting} ${noun} not started: nothing is charged for them and the reserved amount is released. ` +
        "Generations that are already running continue and are charged. This cannot be undone."
      }
      onConfirm={() => cancel.mutate({ id })}
    >
      Cancel
    </ConfirmedButton>
  );
}
