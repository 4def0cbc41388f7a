"use client";

import { RotateCw } from "lucide-react";
import { useRouter } from "next/navigation";
import { useHubMutation } from "../../../trpc/use-hub-mutation";
import { Button } from "../../../ui/button";
import { ConfirmedButton } from "../../../ui/dialog";
import { Money } from "../../../ui/money";
import { CompareWith } from "../compare/compare-with";
import { OpenInPlayground } from "../open-in-playground";
import type { GenerationDetail } from "../types";

/** Offers the actions that a generation's status allows. */
export function Actions({ generation }: { generation: GenerationDetail }) {
  const { id, model, is_llm, error, completed_at, run_again_cost, erased_at } = generation;
  // The same input would fail again, so it has to be changed first.
  const needsChange = error?.retryable === false;
  return (
    <>
      <Cancel generation={generation} />
      <Erase generation={generation} />
      {erased_at === null && <CompareWith id={id} model={model} />}
      <OpenInPlayground generation={generation} kind={needsChange ? "primary" : "quiet"} />
      {!is_llm && erased_at === null && (
        <RunAgain id={id} euros={run_again_cost} kind={completed_at === null || needsChange ? "quiet" : "primary"} />
      )}
    </>
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

/** Cancels or stops a generation after a confirmation; renders nothing when it has ended, and for a chat that runs. */
export function Cancel({ generation }: { generation: GenerationDetail }) {
  const { id, status, is_llm } = generation;
  const isRunning = status === "running" && !is_llm;
  const cancel = useHubMutation((trpc) => trpc.generations.cancel, {
    invalidates: (trpc) => [trpc.generations.pathFilter()],
    successToast: isRunning ? "Generation stopped." : "Generation canceled.",
  });
  if (!isRunning && status !== "queued" && status !== "awaiting_supply") return null;
  const verb = isRunning ? "Stop generation" : "Cancel generation";
  return (
    <ConfirmedButton
      needs="develop"
      busy={cancel.isPending}
      title={isRunning ? "Stop this generation?" : "Cancel this generation?"}
      verb={verb}
      question={<CancelTerms generation={generation} />}
      onConfirm={() => cancel.mutate({ id, stop_running: isRunning })}
    >
      {verb}
    </ConfirmedButton>
  );
}

/** Erases the content of a generation after a confirmation; renders nothing before it has ended, and once it is erased. */
function Erase({ generation: { id, completed_at, erased_at } }: { generation: GenerationDetail }) {
  const erase = useHubMutation((trpc) => trpc.generations.erase, {
    invalidates: (trpc) => [trpc.generations.pathFilter()],
    successToast: "Content erased.",
  });
  if (completed_at === null || erased_at !== null) return null;
  return (
    <ConfirmedButton
      needs="develop"
      busy={erase.isPending}
      title="Erase this generation’s content?"
      verb="Erase content"
      question="Its input, labels, outputs and reply are erased now. Its times, model and cost stay. This cannot be undone."
      onConfirm={() => erase.mutate({ id })}
    >
      Erase content
    </ConfirmedButton>
  );
}

/** Says what canceling a generation costs. */
function CancelTerms({ generation: { status, provider, estimated_cost } }: { generation: GenerationDetail }) {
  if (status !== "running")
    return "It hasn’t started, so nothing is charged and the reserved amount is released. This cannot be undone.";
  if (provider === "worker")
    return "It stops immediately. You pay for the GPU time used, up to the estimate, and its output is lost.";
  return (
    <>
      The provider is asked to stop it. You pay what the provider bills until then, up to{" "}
      <Money euros={estimated_cost} />, and its output is lost. If the provider can’t stop it, it continues.
    </>
  );
}
