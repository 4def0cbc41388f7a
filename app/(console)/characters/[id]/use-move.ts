"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "../../../trpc/client";
import { errorsOf } from "../../../ui/errors-of";
import { useToast } from "../../../ui/toasts";

/** How each move of a character ends: a fault is told, and every page asks anew. */
export function useMove() {
  const trpc = useTRPC();
  const client = useQueryClient();
  const say = useToast();
  return {
    trpc,
    say,
    ends: {
      onError: (error: unknown) => say({ text: errorsOf(error)!.message, tone: "danger" as const }),
      onSettled: () =>
        Promise.all([
          client.invalidateQueries(trpc.characters.pathFilter()),
          client.invalidateQueries(trpc.account.get.queryFilter()),
        ]),
    },
  };
}
