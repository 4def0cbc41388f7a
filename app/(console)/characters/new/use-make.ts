"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTRPC } from "../../../trpc/client";
import { errorsOf } from "../../../ui/errors-of";
import { useToast } from "../../../ui/toasts";
import type { Fields } from "../fields";

/** Makes a character, starts it for `mostCost` (EUR) at most unless that is null, and goes to its page. */
export function useMake() {
  const trpc = useTRPC();
  const client = useQueryClient();
  const router = useRouter();
  const say = useToast();
  const [busy, setBusy] = useState(false);
  const create = useMutation(trpc.characters.create.mutationOptions());
  const start = useMutation(trpc.characters.start.mutationOptions());

  const make = async (fields: Fields, starts: { mostCost: number | undefined } | null) => {
    setBusy(true);
    try {
      const { id } = await create.mutateAsync(fields);
      if (starts) {
        // The draft is there: what its start is refused for can be mended on its own page.
        await start
          .mutateAsync({ id: String(id), max_cost: starts.mostCost })
          .catch((error: unknown) => say({ text: `Saved as a draft. ${errorsOf(error)!.message}`, tone: "danger" }));
      }
      await client.invalidateQueries(trpc.characters.pathFilter());
      router.push(`/characters/${id}`);
    } catch {
      // The form tells why.
      setBusy(false);
    }
  };
  return { make, busy, error: create.error, forget: create.reset };
}
