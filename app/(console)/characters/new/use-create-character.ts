"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTRPC } from "../../../trpc/client";
import { errorsOf } from "../../../ui/errors-of";
import { useToast } from "../../../ui/toasts";
import type { Fields } from "../fields";

/** Creates a character, starts its training for at most `maxCost` (EUR) unless `training` is null, and opens its page. */
export function useCreateCharacter() {
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
        // The draft exists: whatever kept the training from starting can be fixed on its page.
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
