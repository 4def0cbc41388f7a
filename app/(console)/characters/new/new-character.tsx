"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTRPC } from "../../../trpc/client";
import { Button } from "../../../ui/button";
import { errorsOf } from "../../../ui/errors-of";
import { BackLink } from "../../../ui/link";
import { Money } from "../../../ui/money";
import { PageHeader } from "../../../ui/page-header";
import { PriceOnButton } from "../../../ui/price-on-button";
import { useToast } from "../../../ui/toasts";
import { CharacterForm } from "../character-form";
import { emptyFields, type Fields } from "../fields";

/** Creates a character and optionally starts its training. */
export function NewCharacter({ maxBytes }: { maxBytes: number }) {
  const trpc = useTRPC();
  const { data: models = [] } = useQuery(trpc.characters.baseModels.queryOptions());
  const { data: account } = useQuery(trpc.account.get.queryOptions());
  const [fields, setFields] = useState(() => emptyFields(models[0]?.id));
  const { createCharacter, busy, error, resetError } = useCreateCharacter();
  const cost = models.find(({ id }) => id === fields.base_model)?.estimated_cost;
  return (
    <>
      <BackLink href="/characters">Characters</BackLink>
      <PageHeader title="Create a character">
        Add pictures of one subject and a name. Drafts are free; training is charged.
      </PageHeader>
      <CharacterForm
        models={models}
        fields={fields}
        onChange={(changes) => {
          resetError();
          setFields((all) => ({ ...all, ...changes }));
        }}
        error={error}
        maxBytes={maxBytes}
        onSubmit={() => void createCharacter(fields, { maxCost: cost })}
      >
        <dl className="grid gap-2 text-sm">
          <div className="flex justify-between gap-3">
            <dt className="text-soft">Training, up to</dt>
            <dd className="font-medium">{cost === undefined ? "—" : <Money euros={cost} />}</dd>
          </div>
          {typeof account?.available === "number" && (
            <div className="flex justify-between gap-3">
              <dt className="text-soft">Available</dt>
              <dd className="font-medium">
                <Money euros={account.available} />
              </dd>
            </div>
          )}
        </dl>
        <p className="text-xs leading-5 text-soft">
          Reserved when training starts. You pay for the GPU time used, never more.
        </p>
        <div className="grid gap-2">
          <Button kind="primary" type="submit" busy={busy}>
            <Play size={16} aria-hidden />
            Create and start
            <PriceOnButton euros={cost ?? null} isExact={false} />
          </Button>
          <Button busy={busy} onClick={() => void createCharacter(fields, null)}>
            Save as draft
          </Button>
        </div>
      </CharacterForm>
    </>
  );
}

/** Creates a character, starts its training for at most `maxCost` (EUR) unless `training` is null, and opens its page. */
function useCreateCharacter() {
  const trpc = useTRPC();
  const client = useQueryClient();
  const router = useRouter();
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  const create = useMutation(trpc.characters.create.mutationOptions());
  const start = useMutation(trpc.characters.start.mutationOptions());

  const createCharacter = async (fields: Fields, training: { maxCost: number | undefined } | null) => {
    setBusy(true);
    try {
      const { id } = await create.mutateAsync(fields);
      if (training) {
        // The draft is saved, so what kept the training from starting can be fixed on its page.
        await start
          .mutateAsync({ id: String(id), max_cost: training.maxCost })
          .catch((error: unknown) => toast({ text: `Saved as a draft. ${errorsOf(error)!.message}`, tone: "danger" }));
      }
      await client.invalidateQueries(trpc.characters.pathFilter());
      router.push(`/characters/${id}`);
    } catch {
      // The form shows the error.
      setBusy(false);
    }
  };
  return { createCharacter, busy, error: create.error, resetError: create.reset };
}
