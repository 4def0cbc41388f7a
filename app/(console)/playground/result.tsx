"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleAlert, Image } from "lucide-react";
import dynamic from "next/dynamic";
import { useEffect, useRef } from "react";
import { useTRPC } from "../../trpc/client";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { errorsOf } from "../../ui/errors-of";
import { Notice } from "../../ui/notice";
import { partNotLoaded } from "../../ui/part-not-loaded";
import { toEndNotice, useEndNotice } from "../generations/end-notice/use-end-notice";
import type { GenerationDetail } from "../generations/types";
import { useLiveGeneration } from "../generations/use-live-generations";
import { pollUntilEnd } from "../generations/poll-generations";
import type { Input } from "./use-input";
import type { Shown } from "./use-run";

// Loaded on demand: there is no result before the first run.
const GenerationResult = dynamic(() =>
  import("./generation-result").then((module) => module.GenerationResult, partNotLoaded),
);

const BatchResult = dynamic(() => import("./batch/batch-result").then((module) => module.BatchResult, partNotLoaded));

interface Props {
  /** Absent before the first run. */
  shown: Shown | undefined;
  /** Why the last run was rejected. */
  error: unknown;
  /** The input of the form. */
  input: Input;
  onUse: (run: GenerationDetail) => void;
  /** Shows another run, which was started from this one. */
  onStarted: (started: Shown) => void;
}

/** Shows the result of a run, polled until it ends, and brings it into view. */
export function Result({ shown, error, input, onUse, onStarted }: Props) {
  const { id, batchId } = shown ?? {};
  const generation = useShownGeneration(shown ?? {});
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if ((id ?? batchId) !== undefined && place.current) bringIntoView(place.current);
  }, [id, batchId]);
  const isSame = JSON.stringify(generation?.input) === JSON.stringify(input);
  return (
    <div ref={place} className="grid min-w-0 scroll-mt-20 gap-6">
      {error ? <RunError error={error} /> : null}
      {batchId !== undefined ? (
        <BatchResult id={batchId} />
      ) : generation ? (
        <GenerationResult generation={generation} onStarted={onStarted}>
          {!isSame && <Button onClick={() => onUse(generation)}>Use this input</Button>}
        </GenerationResult>
      ) : (
        !error && (
          <Card title="Result">
            <Notice title={id ? "Sending…" : "No result yet"} heading="h3" icon={<Image size={20} />}>
              Results appear here and are saved in Files.
            </Notice>
          </Card>
        )
      )}
    </div>
  );
}

/** Returns the generation that is shown, polled until it ends. */
function useShownGeneration({ id, isNew }: Partial<Shown>) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const isLive = useLiveGeneration(id, true);
  const { data: generation } = useQuery({
    ...trpc.generations.get.queryOptions({ id: id ?? "" }),
    enabled: id !== undefined,
    refetchInterval: ({ state }) => pollUntilEnd(state.data, isLive.current),
  });
  useEndNotice(generation && toEndNotice(generation));
  const { status } = generation ?? {};
  // A new status changes the available balance and the picture in the strip of recent runs.
  useEffect(() => {
    if (!status || !isNew) return;
    void client.invalidateQueries(trpc.account.get.queryFilter());
    void client.invalidateQueries(trpc.playground.recentRuns.queryFilter());
  }, [status, isNew, client, trpc]);
  return generation;
}

const RunError = ({ error }: { error: unknown }) => (
  <Card title="Not started">
    <Notice title="The run did not start" heading="h3" icon={<CircleAlert size={20} />}>
      {errorsOf(error)!.message}
    </Notice>
  </Card>
);

/** Scrolls to an element whose top is not in view, as it is on a phone, where the result is below the form. */
function bringIntoView(element: HTMLElement): void {
  const { top } = element.getBoundingClientRect();
  if (top >= 0 && top < window.innerHeight / 2) return;
  const isReduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
  element.scrollIntoView({ behavior: isReduced ? "auto" : "smooth", block: "start" });
}
