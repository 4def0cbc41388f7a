"use client";

import { RotateCw, WandSparkles } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useHubMutation } from "../../../trpc/use-hub-mutation";
import { Button } from "../../../ui/button";
import { Confirm } from "../../../ui/dialog";
import { Link } from "../../../ui/link";
import { Money } from "../../../ui/money";
import type { GenerationDetail } from "../types";

/** Offers the actions that a generation's status allows. */
export function Actions({ generation }: { generation: GenerationDetail }) {
  const { id, is_llm, error, completed_at, run_again_cost } = generation;
  // The same input would fail again, so it has to be changed first.
  const needsChange = error?.retryable === false;
  return (
    <div className="flex flex-wrap gap-2">
      <Cancel generation={generation} />
      <Button needs="develop" asChild kind={needsChange ? "primary" : "quiet"}>
        <Link href={`/playground?generation=${id}`}>
          <WandSparkles size={16} aria-hidden />
          Open in playground
        </Link>
      </Button>
      {!is_llm && (
        <RunAgain id={id} euros={run_again_cost} kind={completed_at === null || needsChange ? "quiet" : "primary"} />
      )}
    </div>
  );
}

interface RunAgainProps {
  id: string;
  /** The maximum cost; null if the model or the input is no longer accepted. */
  euros: number | null;
  kind: "primary" | "quiet";
}

function RunAgain({ id, euros, kind }: RunAgainProps) {
  const router = useRouter();
  const run = useHubMutation((trpc) => trpc.generations.runAgain, {
    invalidates: (trpc) => [trpc.generations.list.pathFilter()],
    successToast: "Started a new generation with the same input.",
    onSuccess: (made) => router.push(`/generations/${made.id}`),
  });
  return (
    <Button
      needs="develop"
      kind={kind}
      busy={run.isPending}
      title="Starts a new generation with the same input at today’s price"
      onClick={() => run.mutate({ id })}
    >
      <RotateCw size={16} aria-hidden />
      Run again
      {euros !== null && (
        <span>
          · <Money euros={euros} />
        </span>
      )}
    </Button>
  );
}

/** Cancels a generation after a confirmation; renders nothing when it cannot be canceled. */
export function Cancel({ generation: { id, status, provider } }: { generation: GenerationDetail }) {
  const isRunning = status === "running" && provider === "worker";

  const [confirming, setConfirming] = useState(false);
  const cancel = useHubMutation((trpc) => trpc.generations.cancel, {
    invalidates: (trpc) => [trpc.generations.pathFilter()],
    successToast: "Generation canceled.",
  });
  if (!isRunning && status !== "queued" && status !== "awaiting_supply") return null;
  return (
    <>
      <Button needs="develop" busy={cancel.isPending} onClick={() => setConfirming(true)}>
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
