"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useMutationHandlers } from "../../../trpc/use-mutation-handlers";
import { Button } from "../../../ui/button";
import { Confirm } from "../../../ui/confirm";
import type { GenerationDetail } from "../types";

/** Cancels a generation after a confirmation; renders nothing when it cannot be canceled. */
export function Cancel({ generation: { id, status, provider } }: { generation: GenerationDetail }) {
  const isRunning = status === "running" && provider === "worker";
  const { trpc, toast, handlers } = useMutationHandlers((trpc) => [trpc.generations.pathFilter()]);
  const [confirming, setConfirming] = useState(false);
  const cancel = useMutation(
    trpc.generations.cancel.mutationOptions({ ...handlers, onSuccess: () => toast({ text: "Generation canceled." }) }),
  );
  if (!isRunning && status !== "queued" && status !== "awaiting_supply") return null;
  return (
    <>
      <Button busy={cancel.isPending} onClick={() => setConfirming(true)}>
        Cancel generation
      </Button>
      <Confirm
        open={confirming}
        onOpenChange={setConfirming}
        title="Cancel this generation?"
        verb="Cancel generation"
        onConfirm={() => cancel.mutate({ id })}
      >
        {isRunning
          ? "It stops immediately. You pay for the GPU time used, up to the estimate, and its output is lost."
          : "It hasn’t started, so nothing is charged and the reserved amount is released. This cannot be undone."}
      </Confirm>
    </>
  );
}
