"use client";

import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { useTRPCClient } from "../../trpc/client";
import { useMutationHandlers } from "../../trpc/use-mutation-handlers";
import { Button } from "../../ui/button";
import { Confirm } from "../../ui/dialog";
import { SelectionBar } from "../../ui/selection";
import type { Selection } from "../../ui/use-selection";
import { isAvailable } from "./is-available";
import type { GenerationSummary } from "./types";

interface Props {
  selection: Selection;
  generations: GenerationSummary[];
}

/** Offers what can be done with the selected generations at once. */
export function BulkActions({ selection, generations }: Props) {
  const selected = generations.filter(({ id }) => selection.isSelected(id));
  const withOutputs = selected.filter(({ output }) => isAvailable(output)).map(({ id }) => id);
  return (
    <SelectionBar selection={selection} noun="generations">
      <CancelSelected selected={selected} onDone={selection.clear} />
      {withOutputs.length > 0 && (
        <Button asChild>
          <a href={`/generations/download?ids=${withOutputs.join(",")}`} download>
            <Download size={16} aria-hidden />
            <span className="max-sm:sr-only">Download ZIP</span>
          </a>
        </Button>
      )}
    </SelectionBar>
  );
}

function CancelSelected({ selected, onDone }: { selected: GenerationSummary[]; onDone: () => void }) {
  const client = useTRPCClient();
  const { toast, handlers } = useMutationHandlers((trpc) => [trpc.generations.pathFilter(), trpc.account.pathFilter()]);
  const [isConfirming, setConfirming] = useState(false);
  const waiting = selected.filter(({ status }) => status === "queued" || status === "awaiting_supply");
  const cancel = useMutation({
    ...handlers,
    // One request for all. One that has started meanwhile goes on, and so do the others.
    mutationFn: (ids: string[]) => Promise.allSettled(ids.map((id) => client.generations.cancel.mutate({ id }))),
    onSuccess: (results) => {
      const count = results.filter(({ status }) => status === "fulfilled").length;
      const failed = results.length - count;
      if (failed > 0) toast({ text: `${count} canceled, ${failed} could not be.`, tone: "danger" });
      else toast({ text: count === 1 ? "Generation canceled." : `${count} generations canceled.` });
      onDone();
    },
  });
  if (waiting.length === 0) return null;
  const noun = waiting.length === 1 ? "generation" : "generations";
  return (
    <>
      <Button needs="develop" busy={cancel.isPending} onClick={() => setConfirming(true)}>
        Cancel {waiting.length}
        <span className="max-sm:sr-only">{noun}</span>
      </Button>
      <Confirm
        open={isConfirming}
        onOpenChange={setConfirming}
        title={`Cancel ${waiting.length} ${noun}?`}
        verb={`Cancel ${noun}`}
        onConfirm={() => cancel.mutate(waiting.map(({ id }) => id))}
      >
        {waiting.length < selected.length && "The others have started or ended and are left as they are. "}
        Nothing is charged and the reserved amount is released. This cannot be undone.
      </Confirm>
    </>
  );
}
