"use client";

import { useState } from "react";
import { useHubMutation } from "../../trpc/use-hub-mutation";
import { Button } from "../../ui/button";
import { Confirm } from "../../ui/dialog";
import type { GenerationSummary } from "./types";

interface Props {
  selected: GenerationSummary[];
  onDone: () => void;
}

/** Erases the content of the selected generations that have ended; renders nothing if none has. */
export function EraseSelected({ selected, onDone }: Props) {
  const [isConfirming, setConfirming] = useState(false);
  const erase = useHubMutation((trpc) => trpc.generations.eraseSelected, {
    invalidates: (trpc) => [trpc.generations.pathFilter()],
    successToast: ({ erased }) =>
      erased === 1 ? "Content of one generation erased." : `Content of ${erased} generations erased.`,
    onSuccess: onDone,
  });
  const ended = selected.filter(({ completed_at }) => completed_at !== null);
  if (ended.length === 0) return null;
  const noun = ended.length === 1 ? "generation" : "generations";
  return (
    <>
      <Button needs="develop" busy={erase.isPending} onClick={() => setConfirming(true)}>
        Erase <span className="max-sm:sr-only">content</span>
      </Button>
      <Confirm
        open={isConfirming}
        onOpenChange={setConfirming}
        title={`Erase the content of ${ended.length} ${noun}?`}
        verb="Erase content"
        onConfirm={() => erase.mutate({ ids: ended.map(({ id }) => id) })}
      >
        {ended.length < selected.length && "The others have not ended. "}
        Inputs, labels, outputs and replies are erased now. Times, models and costs stay. This cannot be undone.
      </Confirm>
    </>
  );
}
