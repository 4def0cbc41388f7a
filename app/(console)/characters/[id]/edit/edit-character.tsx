"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTRPC } from "../../../../trpc/client";
import { BackLink, Link } from "../../../../ui/link";
import { Button } from "../../../../ui/button";
import { PageHeader } from "../../../../ui/page-header";
import { CharacterForm } from "../../character-form";
import type { Fields } from "../../fields";

/** Edits a character. */
export function EditCharacter({ id, maxBytes }: { id: string; maxBytes: number }) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const router = useRouter();
  const { data: character } = useQuery(trpc.characters.get.queryOptions({ id }));
  const { data: models = [] } = useQuery(trpc.characters.baseModels.queryOptions());
  const [changes, setChanges] = useState<Partial<Fields>>({});
  const update = useMutation(
    trpc.characters.update.mutationOptions({
      onSuccess: async () => {
        await client.invalidateQueries(trpc.characters.pathFilter());
        router.push(`/characters/${id}`);
      },
    }),
  );
  if (!character) return null;
  const { name, base_model, trigger_word, images, parameters, status } = character;
  return (
    <>
      <BackLink href="/characters">Characters</BackLink>
      <PageHeader title={`Edit ${name}`} />
      <CharacterForm
        models={models}
        fields={{ name, base_model, trigger_word, images, parameters, ...changes }}
        onChange={(more) => {
          update.reset();
          setChanges((all) => ({ ...all, ...more }));
        }}
        error={update.error}
        known={character.pictures}
        maxBytes={maxBytes}
        onSubmit={() => update.mutate({ id, changes })}
      >
        <p className="text-sm leading-6 text-soft">
          {status === "draft" || status === "ready"
            ? "Saving is free."
            : "Saving is free. If you change anything but the name, resuming starts over."}
        </p>
        <div className="grid gap-2">
          <Button kind="primary" type="submit" busy={update.isPending || update.isSuccess}>
            Save changes
          </Button>
          <Button asChild>
            <Link href={`/characters/${id}`}>Discard</Link>
          </Button>
        </div>
      </CharacterForm>
    </>
  );
}
