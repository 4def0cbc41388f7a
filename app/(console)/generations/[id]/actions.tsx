"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTRPC } from "../../../trpc/client";
import { Button } from "../../../ui/button";
import { Confirm } from "../../../ui/confirm";
import { errorsOf } from "../../../ui/errors-of";
import { useToast } from "../../../ui/toasts";
import type { Detail } from "./generation";

/** What can be done with a generation in its state. */
export function Actions({ of: generation }: { of: Detail }) {
  const { id, status, provider, is_llm } = generation;
  const isOnWorker = status === "running" && provider === "worker";
  return (
    <div className="flex flex-wrap gap-2">
      {(status === "queued" || status === "awaiting_supply" || isOnWorker) && <Cancel id={id} isRunning={isOnWorker} />}
      {!is_llm && <RunAgain id={id} />}
    </div>
  );
}

function Cancel({ id, isRunning }: { id: string; isRunning: boolean }) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const say = useToast();
  const [asking, setAsking] = useState(false);
  const cancel = useMutation(
    trpc.generations.cancel.mutationOptions({
      onSuccess: () => say({ text: "The generation is canceled." }),
      onError: (error) => say({ text: errorsOf(error)!.message, tone: "danger" }),
      onSettled: () => client.invalidateQueries(trpc.generations.pathFilter()),
    }),
  );
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
          ? "It stops at once, and the GPU time that it has used is billed, at most its estimate. What it has made is lost."
          : "It has not started: nothing is billed, and what is held for it is free again. This cannot be undone."}
      </Confirm>
    </>
  );
}

function RunAgain({ id }: { id: string }) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const say = useToast();
  const router = useRouter();
  const run = useMutation(
    trpc.generations.runAgain.mutationOptions({
      onSuccess: (made) => {
        say({ text: "The same input runs again, as a new generation." });
        void client.invalidateQueries(trpc.generations.list.pathFilter());
        router.push(`/generations/${made.id}`);
      },
      onError: (error) => say({ text: errorsOf(error)!.message, tone: "danger" }),
    }),
  );
  return (
    <Button
      kind="primary"
      busy={run.isPending}
      title="The same input at today's price, as a new generation"
      onClick={() => run.mutate({ id })}
    >
      <RotateCw size={16} aria-hidden />
      Run again
    </Button>
  );
}
