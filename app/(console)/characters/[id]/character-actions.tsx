"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Pencil, Play, RotateCw, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "../../../ui/button";
import { Confirm } from "../../../ui/dialog";
import { Link } from "../../../ui/link";
import { isBusy } from "../character-status";
import { PriceOnButton } from "../../../ui/price-on-button";
import type { Character } from "../types";
import { useMutationHandlers } from "../../../trpc/use-mutation-handlers";

/** Offers the actions that a character's status allows. */
export function CharacterActions({ character }: { character: Character }) {
  const { id, status, resume } = character;
  return (
    <div className="flex flex-wrap gap-2">
      {isBusy(character) ? (
        <Cancel character={character} />
      ) : (
        <>
          <Delete character={character} />
          <Button needs="develop" asChild>
            <Link href={`/characters/${id}/edit`}>
              <Pencil size={16} aria-hidden />
              Edit
            </Link>
          </Button>
        </>
      )}
      {status === "draft" && <Start character={character} />}
      {resume && <Resume character={character} />}
    </div>
  );
}

function Start({ character: { id, estimated_cost } }: { character: Character }) {
  const { trpc, handlers } = useCharacterAction();
  const start = useMutation(trpc.characters.start.mutationOptions(handlers));
  return (
    <Button
      needs="develop"
      kind="primary"
      busy={start.isPending}
      // Limits the cost to what the page shows.
      onClick={() => start.mutate({ id: String(id), max_cost: estimated_cost ?? undefined })}
    >
      <Play size={16} aria-hidden />
      Start training
      <PriceOnButton euros={estimated_cost ?? undefined} isExact={false} />
    </Button>
  );
}

function Resume({ character: { id, resume: price } }: { character: Character }) {
  const { trpc, handlers } = useCharacterAction();
  const resume = useMutation(trpc.characters.resume.mutationOptions(handlers));
  return (
    <Button needs="develop" kind="primary" busy={resume.isPending} onClick={() => resume.mutate({ id: String(id) })}>
      <RotateCw size={16} aria-hidden />
      Resume training
      <PriceOnButton euros={price?.estimated_cost} isExact={false} />
    </Button>
  );
}

function Cancel({ character: { id, status } }: { character: Character }) {
  const { trpc, toast, handlers } = useCharacterAction();
  const [confirming, setConfirming] = useState(false);
  const cancel = useMutation(
    trpc.characters.cancel.mutationOptions({ ...handlers, onSuccess: () => toast({ text: "Training canceled." }) }),
  );
  return (
    <>
      <Button needs="develop" busy={cancel.isPending} onClick={() => setConfirming(true)}>
        Cancel training
      </Button>
      <Confirm
        open={confirming}
        onOpenChange={setConfirming}
        title="Cancel training?"
        verb="Cancel training"
        onConfirm={() => cancel.mutate({ id: String(id) })}
      >
        {status === "running"
          ? "It stops immediately, and you pay for the GPU time used. You can resume from the last checkpoint."
          : "You pay for any GPU time already used, and the rest of the reserved amount is released. You can resume later."}
      </Confirm>
    </>
  );
}

function Delete({ character: { id, name, status } }: { character: Character }) {
  const { trpc, toast, handlers } = useCharacterAction();
  const client = useQueryClient();
  const router = useRouter();
  const [confirming, setConfirming] = useState(false);
  const remove = useMutation(
    trpc.characters.delete.mutationOptions({
      onError: handlers.onError,
      onSuccess: () => {
        toast({ text: `Deleted “${name}”.` });
        // Only the list is refreshed: this page must not request the deleted character.
        void client.invalidateQueries(trpc.characters.list.pathFilter());
        router.push("/characters");
      },
    }),
  );
  return (
    <>
      <Button
        needs="develop"
        kind="ghost"
        busy={remove.isPending || remove.isSuccess}
        onClick={() => setConfirming(true)}
      >
        <Trash2 size={16} aria-hidden />
        Delete
      </Button>
      <Confirm
        open={confirming}
        onOpenChange={setConfirming}
        title={`Delete “${name}”?`}
        verb="Delete character"
        onConfirm={() => remove.mutate({ id: String(id) })}
      >
        {status === "ready"
          ? "New generations can no longer use it, and its training result expires like other outputs."
          : "Its pictures stay in Files until they expire."}{" "}
        This cannot be undone.
      </Confirm>
    </>
  );
}

/** Returns mutation handlers that also refresh the characters and the balance. */
export const useCharacterAction = () =>
  useMutationHandlers((trpc) => [trpc.characters.pathFilter(), trpc.account.get.queryFilter()]);
