"use client";

import { useHubMutation } from "../../trpc/use-hub-mutation";
import { ConfirmedButton } from "../../ui/dialog";
import type { GenerationSummary } from "./types";

interface Props {
  selected: GenerationSummary[];
  onDone: () => void;
}

/** Erases the content of the selected generations that have ended; renders nothing if none has. */
export function EraseSelected({ selected, onDone }: Props) {
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
    <ConfirmedButton
      needs="develop"
      busy={erase.isPending}
      title={`Erase the content of ${ended.length} ${noun}?`}
      verb="Erase content"
      question={
        <>
          {ended.length < selected.length && "The others have not ended. "}
          Inputs, labels, outputs and replies are erased now. Times, models and costs stay. This cannot be undone.
        </>
      }
      onConfirm={() => erase.mutate({ ids: ended.map(({ id }) => id) })}
    >
      Erase <span className="max-sm:sr-only">content</span>
    </ConfirmedButton>
  );
}
