"use client";

import { Pencil, Play, RotateCw, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { type Trpc, useHubMutation } from "../../../trpc/use-hub-mutation";
import { Button } from "../../../ui/button";
import { ConfirmedButton } from "../../../ui/dialog";
import { Link } from "../../../ui/link";
import { PriceOnButton } from "../../../ui/price-on-button";
import { isBusy } from "../character-status";
import type { Character } from "../types";

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
  const start = useHubMutation((trpc) => trpc.characters.start, { invalidates: charactersAndBalance });
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
      <PriceOnButton euros={estimated_cost} isExact={false} />
    </Button>
  );
}

function Resume({ character: { id, resume: price } }: { character: Character }) {
  const resume = useHubMutation((trpc) => trpc.characters.resume, { invalidates: charactersAndBalance });
  return (
    <Button needs="develop" kind="primary" busy={resume.isPending} onClick={() => resume.mutate({ id: String(id) })}>
      <RotateCw size={16} aria-hidden />
      Resume training
      <PriceOnButton euros={price?.estimated_cost ?? null} isExact={false} />
    </Button>
  );
}

function Cancel({ character: { id, status } }: { character: Character }) {
  const cancel = useHubMutation((trpc) => trpc.characters.cancel, {
    invalidates: charactersAndBalance,
    successToast: "Training canceled.",
  });
  return (
    <ConfirmedButton
      needs="develop"
      busy={cancel.isPending}
      title="Cancel training?"
      verb="Cancel training"
      question={
        status === "running"
          ? "It stops immediately, and you pay for the GPU time used. You can resume from the last checkpoint."
          : "You pay for any GPU time already used, and the rest of the reserved amount is released. You can resume later."
      }
      onConfirm={() => cancel.mutate({ id: String(id) })}
    >
      Cancel training
    </ConfirmedButton>
  );
}

function Delete({ character: { id, name, status } }: { character: Character }) {
  const router = useRouter();
  const remove = useHubMutation((trpc) => trpc.characters.delete, {
    // Without the character itself, which this page would request again although it is deleted.
    invalidates: (trpc) => [trpc.characters.list.pathFilter()],
    successToast: `Deleted “${name}”.`,
    onSuccess: () => router.push("/characters"),
  });
  return (
    <ConfirmedButton
      needs="develop"
      kind="ghost"
      busy={remove.isPending || remove.isSuccess}
      title={`Delete “${name}”?`}
      verb="Delete character"
      question={
        <>
          {status === "ready"
            ? "New generations can no longer use it, and its training result expires like other outputs."
            : "Its pictures stay in Files until they expire."}{" "}
          This cannot be undone.
        </>
      }
      onConfirm={() => remove.mutate({ id: String(id) })}
    >
      <Trash2 size={16} aria-hidden />
      Delete
    </ConfirmedButton>
  );
}

/** The queries that a start, a resume or a cancellation of a training changes. */
export const charactersAndBalance = (trpc: Trpc) => [trpc.characters.pathFilter(), trpc.account.get.queryFilter()];
