"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useMutationHandlers } from "../../../trpc/use-mutation-handlers";
import { Button } from "../../../ui/button";
import { Confirm } from "../../../ui/confirm";
import type { Detail } from "./generation";

/** Cancels a generation, after asking; nothing where it cannot be canceled any more. */
export function Cancel({ generation: { id, status, provider } }: { generation: Detail }) {
  const isRunning = status === "running" && provider === "worker";
  const { trpc, say, ends } = useMutationHandlers((trpc) => [trpc.generations.pathFilter()]);
  const [asking, setAsking] = useState(false);
  const cancel = useMutation(
    trpc.generations.cancel.mutationOptions({ ...ends, onSuccess: () => say({ text: "Generation canceled." }) }),
  );
  if (!isRunning && status !== "queued" && status !== "awaiting_supply") return null;
  return (
    <>
      <Button busy={cancel.isPending} onClick={() => setAsking(true)}>
        Cancel generation
      </Button>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
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
