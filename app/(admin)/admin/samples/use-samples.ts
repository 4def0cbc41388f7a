"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { useLiveGeneration } from "../../../(console)/generations/use-live-generations";
import { pollUntilEnd } from "../../../(console)/generations/poll-generations";
import type { GenerationDetail } from "../../../(console)/generations/types";
import { useConfirmedPrice } from "../../../(console)/playground/use-confirmed-price";
import { useTRPC } from "../../../trpc/client";
import { type Trpc, useHubMutation } from "../../../trpc/use-hub-mutation";
import { ownPath } from "../../../ui/own-path";
import { useToast } from "../../../ui/toasts";
import { useIdempotencyKey } from "../../../ui/use-idempotency-key";
import type { SampledModel } from "./types";

/** The queries that a change of the samples changes. */
const invalidates = (trpc: Trpc) => [trpc.admin.samples.pathFilter(), trpc.models.pathFilter()];

/** Returns the mutation that adds a picture of the operator's account. */
export const useAddSample = () =>
  useHubMutation((trpc) => trpc.admin.samples.add, { invalidates, successToast: "Sample added." });

export const useChooseForHome = () => useHubMutation((trpc) => trpc.admin.samples.chooseForHome, { invalidates });

export const useRemoveSample = () =>
  useHubMutation((trpc) => trpc.admin.samples.remove, { invalidates, successToast: "Sample removed." });

/** Runs a model's example in the operator's account, and adds its first picture once it has succeeded. */
export function useMakeSample({ id: model, example, price }: SampledModel) {
  const trpc = useTRPC();
  const toast = useToast();
  const add = useAddSample();
  const confirmPrice = useConfirmedPrice(model, price ?? undefined);
  const { keyFor, clearKey } = useIdempotencyKey();
  const [runId, setRunId] = useState<string>();
  const run = useHubMutation((trpc) => trpc.playground.run, {
    onSuccess: ({ id }) => {
      clearKey();
      setRunId(id);
    },
  });
  const isLive = useLiveGeneration(runId, runId !== undefined);
  const { data: generation } = useQuery({
    ...trpc.generations.get.queryOptions({ id: runId ?? "" }),
    enabled: runId !== undefined,
    refetchInterval: ({ state }) => pollUntilEnd(state.data, isLive.current),
  });
  const onEnd = useEffectEvent(({ status, outputs }: GenerationDetail) => {
    setRunId(undefined);
    const picture = outputs.find(({ media_type }) => media_type.startsWith("image/"));
    if (picture) add.mutate({ model, file: ownPath(picture.url).split("/").at(-1)! });
    else toast({ text: `The run ${status} without a picture.`, tone: "danger" });
  });
  useEffect(() => {
    if (runId !== undefined && generation?.completed_at) onEnd(generation);
  }, [runId, generation]);
  const make = async () => {
    const { isShown, quote } = await confirmPrice(example);
    if (isShown) run.mutate({ idempotencyKey: keyFor([model, example]), model, input: example, quote });
  };
  return { make: () => void make(), isMaking: run.isPending || runId !== undefined || add.isPending };
}
